internal import Crypto
internal import JSON

/// What has been on the pages read so far, by which one is recognised that comes again.
struct SeenPages: Sendable {
    private let idPath: JSONPath
    private var addresses: [WebAddress: Int] = [:]
    private var bodies: [SHA256Digest: Int] = [:]
    private var ids: [String: Int] = [:]

    init(idPath: JSONPath) {
        self.idPath = idPath
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
            guard let id = item[idPath]?.plainText else { continue }
            if let earlier = ids.updateValue(page.number, forKey: id), earlier != page.number {
                throw .movedItem(id: id, earlier: earlier, page: page.number)
            }
        }
    }
}
