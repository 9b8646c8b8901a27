public import Hashing
internal import FoundationEssentials
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
