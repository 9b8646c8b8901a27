public import JSON
internal import Text

/// The reason why the pages of a collection do not form a whole. Pages count from 1.
public enum PaginationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The status of the response is neither 200 nor 206.
    case status(HTTPClientResponse, page: Int)
    case html(page: Int)
    case notJSON(JSONSyntaxError, page: Int)
    /// The response of GraphQL carries errors, with these messages.
    case query(errors: String, page: Int)
    /// The page has no array at the paths of the items.
    case noItems(found: String, paths: [JSONPath], page: Int)
    /// A field that the pagination reads is missing or invalid.
    case unreadable(ResponseField, expected: String, found: String, page: Int)
    /// The last item of a page, at this index, has no value for the next request.
    case unreadableItem(JSONPath, index: Int, found: String, page: Int)
    /// The page equals an earlier one, byte for byte.
    case repeatedPage(earlier: Int, page: Int)
    /// The next page has been read before.
    case loop(to: Int, page: Int)
    /// The link to the next page is malformed or unsafe.
    case badLink(page: Int)
    /// The link leads to an origin that the request template does not allow.
    case foreignLink(origin: String, allowed: String, page: Int)
    case tooManyPages(limit: Int)
    /// The stated number of items differs from that of earlier pages.
    case changedTotal(from: Int, to: Int, page: Int)
    /// The stated number of pages differs from that of earlier pages.
    case changedPageCount(from: Int, to: Int, page: Int)
    case emptyPage(page: Int, of: Int)
    case movedItem(id: String, earlier: Int, page: Int)
    /// More items follow a page that may have ended among items with the same value of this member.
    case equalItems(JSONPath, page: Int)
    /// The number of all items differs from the stated total; the page is the last.
    case wrongTotal(Int, items: Int, page: Int)

    /// Whether the collection probably changed during the reading, so that another reading may succeed.
    package var isInconsistency: Bool {
        switch self {
        case .changedTotal, .changedPageCount, .emptyPage, .movedItem, .equalItems, .wrongTotal: true
        case .status, .html, .notJSON, .query, .noItems, .unreadable, .unreadableItem, .repeatedPage, .loop, .badLink,
            .foreignLink, .tooManyPages:
            false
        }
    }

    /// The sentence for operators, without cursors and links, which may grant access.
    public var description: String {
        switch self {
        case .status(let response, let page): "page \(page): the upstream answered \(response.status)"
        case .html(let page): "page \(page): HTML instead of JSON"
        case .notJSON(let error, let page): "page \(page): invalid JSON at \(error)"
        case .query(let errors, let page): "page \(page): the upstream reports errors: \(errors)"
        case .noItems(let found, let paths, let page):
            "page \(page): expected an array at \(Self.places(paths)), found \(found)"
        case .unreadable(let field, let expected, let found, let page):
            "page \(page): expected \(expected) at \(field), found \(found)"
        case .unreadableItem(let path, let index, let found, let page):
            "page \(page): expected a text or number at \"\(path)\" of the last item, [\(index)], found \(found)"
        case .repeatedPage(let earlier, let page): "page \(page) is page \(earlier) again"
        case .loop(let to, let page): "page \(page) leads back to page \(to)"
        case .badLink(let page): "page \(page) links to an invalid URL"
        case .foreignLink(let origin, let allowed, let page):
            "page \(page) links to \(TextExcerpt(origin)), which is not followed from \(allowed)"
        case .tooManyPages(let limit): "there are more than \(limit) pages"
        case .changedTotal(let from, let to, let page): "page \(page): the total changed from \(from) to \(to)"
        case .changedPageCount(let from, let to, let page):
            "page \(page): the number of pages changed from \(from) to \(to)"
        case .emptyPage(let page, let pages): "page \(page) of \(pages) is empty"
        case .movedItem(let id, let earlier, let page):
            "the item \"\(TextExcerpt(id))\" is on page \(earlier) and again on page \(page)"
        case .equalItems(let path, let page):
            "page \(page): more items have the same \"\(path)\" than a page holds, so that some may be missing; ask for "
                + "larger pages, or name the \"total\""
        case .wrongTotal(let total, let items, let page):
            "page \(page) is the last, and \(items) items have come of a total of \(total)"
        }
    }

    private static func places(_ paths: [JSONPath]) -> String {
        paths.map { $0 == .root ? "the top level" : "\"\($0)\"" }.joined(separator: " or ")
    }
}
