internal import Hashing
internal import JSON

/// What has been on the pages read so far, by which one is recognised that comes again.
struct SeenPages: Sendable {
    private let idPaths: [JSONPath]
    private var addresses: [WebAddress: Int] = [:]
    private var bodies: [SHA256Digest: Int] = [:]
    private var ids: [String: Int] = [:]

    init(idPaths: [JSONPath]) {
        self.idPaths = idPaths
    }

    /// The page that was asked for by this address.
    func page(at address: WebAddress) -> Int? { addresses[address] }

    mutating func insert(_ address: WebAddress, page: Int) {
        addresses[address] = page
    }

    /// - Throws: `PaginationError` when the page, or one of its items, has been there before. An item twice on one page
    ///   is somebody else's concern: nothing has moved.
    mutating func insert(_ page: CollectionPage) throws(PaginationError) {
        guard !page.items.isEmpty else { return }
        if let earlier = bodies.updateValue(page.number, forKey: page.digest) {
            throw .repeatedPage(earlier: earlier, page: page.number)
        }
        for item in page.items {
            guard let id = id(of: item) else { continue }
            if let earlier = ids.updateValue(page.number, forKey: id), earlier != page.number {
                throw .movedItem(id: id, earlier: earlier, page: page.number)
            }
        }
    }

    /// The first value that is there counts, as it does when the item is decoded.
    private func id(of item: JSONValue) -> String? {
        for path in idPaths {
            if let value = item[path], !value.isNull { return value.plainText }
        }
        return nil
    }
}
