internal import FoundationEssentials
public import Hashing
public import JSON

/// One page of a collection, read.
public struct CollectionPage: Sendable {
    /// Counted from 1, whatever the upstream calls it.
    public let number: Int
    /// Of the response.
    public let headers: HTTPHeaders
    /// Of the body as it came, unpacked: what tells it from others without keeping it.
    public let digest: SHA256Digest
    /// What the body says.
    public let document: JSONValue
    /// The items in it, in their order.
    public let items: [JSONValue]

    /// Creates a page.
    public init(
        number: Int, headers: HTTPHeaders = HTTPHeaders([]), digest: SHA256Digest, document: JSONValue,
        items: [JSONValue]
    ) {
        self.number = number
        self.headers = headers
        self.digest = digest
        self.document = document
        self.items = items
    }
}

extension CollectionPage {
    /// Reads the response to the request for a page.
    ///
    /// May take many milliseconds: call it off the event loops.
    /// - Parameter itemsPaths: where the items may be, in order of preference; the first that leads to an array counts.
    init(_ response: HTTPClientResponse, number: Int, itemsPaths: [JSONPath]) throws(PaginationError) {
        guard response.status == 200 else { throw .status(response, page: number) }
        guard !response.isHTML else { throw .html(page: number) }
        let document: JSONValue
        do {
            document = try JSONParser().parse(response.body)
        } catch {
            throw .notJSON(error, page: number)
        }
        guard let items = itemsPaths.lazy.compactMap({ document[$0]?.array }).first else {
            let found = itemsPaths.first.flatMap { document[$0] }?.kindName ?? "nothing"
            throw .noItems(found: found, paths: itemsPaths, page: number)
        }
        self.init(
            number: number, headers: response.headers, digest: SHA256Digest(of: response.body), document: document,
            items: items)
    }
}

/// How large a collection is, as one of its pages says.
public struct CollectionExtent: Sendable, Hashable {
    /// How many items there are on all pages; nil when the pages do not tell.
    public var total: Int?
    /// How many pages there are; nil when they do not tell.
    public var pages: Int?

    /// Creates an extent.
    public init(total: Int? = nil, pages: Int? = nil) {
        self.total = total
        self.pages = pages
    }
}

/// How far the reading of a collection has come, the page just read included.
public struct CollectionProgress: Sendable, Hashable {
    /// As every page so far has said it.
    public var extent = CollectionExtent()
    /// On all pages so far.
    public var itemCount = 0
    /// The most items on one page so far.
    public var largestPage = 0

    /// The progress of a reading that has not begun.
    public init() {}

    /// Whether a page with so few items is the last one, of pages that are asked for by this size.
    ///
    /// Only a page that was full proves that the upstream goes by the size that it was asked for. One that gives less
    /// than that on every page would otherwise lose all but its first.
    func isLast(_ page: CollectionPage, size: Int?) -> Bool {
        if page.items.isEmpty { return true }
        guard let size else { return false }
        return largestPage >= size && page.items.count < size
    }
}

/// Which page of a collection is asked for, in the upstream's own terms.
public enum PageRequest: Sendable, Hashable {
    /// The collection's own URL with these parameters, in the place of the template's of the same names.
    case parameters([QueryParameter])
    /// What a link leads to from the page it stood on; it carries its own parameters.
    case link(String)
}
