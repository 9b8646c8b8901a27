internal import FoundationEssentials
package import Hashing
public import JSON

/// One page of a collection, parsed.
public struct CollectionPage: Sendable {
    /// Counted from 1, whatever the upstream calls it.
    package let number: Int
    package let headers: HTTPHeaders
    /// The hash of the unpacked body, to recognise a repeated page.
    package let digest: SHA256Digest
    let document: JSONValue
    package internal(set) var items: [JSONValue]

    /// Parses a response; off the event loops, as it may take many milliseconds.
    /// - Parameter itemsPaths: the first that leads to an array of items counts.
    init(_ response: HTTPClientResponse, number: Int, itemsPaths: [JSONPath]) throws(PaginationError) {
        guard response.status == 200 else { throw .status(response, page: number) }
        guard !response.isHTML else { throw .html(page: number) }
        let document: JSONValue
        do {
            document = try JSONParser().parse(response.body)
        } catch {
            throw .notJSON(error, page: number)
        }
        guard let items = itemsPaths.compactMap({ document[$0]?.array }).first else {
            let found = itemsPaths.first.flatMap { document[$0] }?.kindName ?? "nothing"
            throw .noItems(found: found, paths: itemsPaths, page: number)
        }
        self.number = number
        headers = response.headers
        digest = SHA256Digest(of: response.body)
        self.document = document
        self.items = items
    }
}

/// The size of a collection as one of its pages states it; nil where it does not.
public struct CollectionExtent: Sendable, Hashable {
    /// The number of items on all pages.
    var total: Int?
    var pages: Int?
}

/// The progress of reading a collection, the page just read included.
public struct CollectionProgress: Sendable, Hashable {
    /// The extent that every page so far has stated.
    var extent = CollectionExtent()
    /// The number of items so far.
    var itemCount = 0
    /// The most items on one page so far.
    var largestPage = 0
    /// The number of items on the page just read that were on none before.
    var newItems = 0
    /// The request for the page just read.
    var request = PageRequest.parameters([])

    /// Whether a page is the last one of pages that are requested by a size.
    ///
    /// Only a full page proves that the upstream honours the requested size. An upstream that gives less on every page
    /// would otherwise lose all but its first.
    func isLast(_ page: CollectionPage, size: Int?) -> Bool {
        if page.items.isEmpty { return true }
        guard let size else { return false }
        return largestPage >= size && page.items.count < size
    }
}

/// The request for a page, in the upstream's own terms.
public enum PageRequest: Sendable, Hashable {
    /// The collection's own URL with these parameters, which replace the template's of the same names.
    case parameters([QueryParameter])
    /// Such a URL for the items beyond a value of a member. One that comes again with its old value does not count again.
    ///
    /// `isLastValue`: whether the value is that of the last item, so that others with the same one do not come.
    case beyond([QueryParameter], by: JSONPath, isLastValue: Bool)
    /// A link, relative to the page it stood on; it carries its own parameters.
    case link(String)
}
