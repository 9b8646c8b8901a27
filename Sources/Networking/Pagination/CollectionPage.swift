internal import FoundationEssentials
package import Hashing
public import JSON
internal import Text

/// One page of a collection, parsed.
public struct CollectionPage: Sendable {
    /// Counted from 1, whatever the upstream's numbering.
    package let number: Int
    package let headers: HTTPHeaders
    /// The hash of the unpacked body, to detect a repeated page.
    package let digest: ContentDigest
    let document: JSONValue
    package internal(set) var items: [JSONValue]

    /// Parses a response; off the event loops, as it may take many milliseconds.
    /// - Parameters:
    ///   - itemsPaths: the paths to the items, for messages.
    ///   - items: returns the items in the body.
    init(
        _ response: HTTPClientResponse, number: Int, itemsPaths: [JSONPath], isGraphQL: Bool,
        items read: (JSONValue) -> [JSONValue]?
    ) throws(PaginationError) {
        // Some shops answer to a part of a list by 206.
        guard [200, 206].contains(response.status) else { throw .status(response, page: number) }
        guard !response.isHTML else { throw .html(page: number) }
        let document: JSONValue
        do {
            document = try JSONParser().parse(response.body)
        } catch {
            throw .notJSON(error, page: number)
        }
        if isGraphQL, let errors = document.graphQLErrors { throw .query(errors: errors, page: number) }
        guard let items = read(document) else {
            let found = itemsPaths.first.flatMap { document[$0] }?.kindName ?? "nothing"
            throw .noItems(found: found, paths: itemsPaths, page: number)
        }
        self.number = number
        headers = response.headers
        digest = ContentDigest(of: response.body)
        self.document = document
        self.items = items
    }
}

/// The size of a collection as one of its pages states it; nil if not stated.
public struct CollectionExtent: Sendable, Hashable {
    /// The number of items on all pages.
    package internal(set) var total: Int?
    var pages: Int?
}

/// The progress of reading a collection, including the last page read.
public struct CollectionProgress: Sendable, Hashable {
    /// The extent that every page so far has stated.
    var extent = CollectionExtent()
    /// The number of items so far.
    var itemCount = 0
    /// The largest number of items on one page so far.
    var largestPage = 0
    /// The number of new items on the last page read.
    var newItems = 0
    /// The request for the last page read.
    var request = PageRequest.parameters([])

    /// Whether a page is the last of those requested by a size.
    ///
    /// Only a full page proves that the upstream honours the requested size. If an upstream returned fewer on every
    /// page, all but the first would be lost otherwise.
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
    /// The collection's own URL with these parameters, for the items beyond a value of a member. A repeated item with
    /// its old value is skipped.
    ///
    /// `isLastValue`: whether it is the last item's value, so that other items with the same value are not repeated.
    case beyond([QueryParameter], by: JSONPath, isLastValue: Bool)
    /// The collection's own request with this value in the `variables` of its body.
    case variable(String, JSONValue)
    /// A link, relative to the page it stood on; it carries its own parameters.
    case link(String)
}

extension JSONValue {
    /// The messages of the errors in a response of GraphQL, in one line; nil without any.
    package var graphQLErrors: String? {
        guard let errors = object?["errors"], !errors.isNull, errors.array?.isEmpty != true else { return nil }
        let texts = (errors.array ?? [errors]).prefix(3).map { error in
            error.object?["message"]?.string ?? error.string ?? error.kindName
        }
        return JSONValue.string(texts.map { "\(TextExcerpt($0, limit: 200))" }.joined(separator: "; ")).description
    }
}

extension JSONParser {
    /// The messages of the errors in a response of GraphQL, without a tree of its data; nil without any.
    package func graphQLErrors(in body: [UInt8]) -> String? {
        guard let range = (try? parseMemberRanges(body))?.first(where: { $0.key == "errors" })?.range,
            let errors = try? parse(body, in: range)
        else { return nil }
        return JSONValue.object(["errors": errors]).graphQLErrors
    }
}
