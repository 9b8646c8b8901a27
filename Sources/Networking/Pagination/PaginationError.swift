public import JSON
internal import Text

/// Why the pages of a collection could not be put together into the whole. Pages count from 1.
public enum PaginationError: Error, Sendable, Hashable {
    /// The response to the request for a page has a status that is not 200.
    case status(HTTPClientResponse, page: Int)
    /// A page is one for people to look at.
    case html(page: Int)
    /// A page is no JSON.
    case notJSON(JSONSyntaxError, page: Int)
    /// A page has no array where its items should be, but what is named.
    case noItems(found: String, paths: [JSONPath], page: Int)
    /// A page does not say what the config promises, but what is named.
    case unreadable(ResponseField, expected: String, found: String, page: Int)
    /// The item at this index of a page, its last, has nothing to ask for the next page by.
    case unreadableItem(JSONPath, index: Int, found: String, page: Int)
    /// A page is, byte for byte, one that has been read before.
    case repeatedPage(earlier: Int, page: Int)
    /// A page names as the next one that has been asked for before.
    case loop(to: Int, page: Int)
    /// What a page links to is no URL, or none that is safe to follow.
    case badLink(page: Int)
    /// A page links to another origin than its own, which the config does not name.
    case foreignLink(origin: String, allowed: String, page: Int)
    /// There are more pages than this.
    case tooManyPages(limit: Int)
    /// A page says that there are so many items in all, where the pages before it said otherwise.
    case changedTotal(from: Int, to: Int, page: Int)
    /// A page says that there are so many pages, where the pages before it said otherwise.
    case changedPageCount(from: Int, to: Int, page: Int)
    /// A page is empty, though more are said to follow.
    case emptyPage(page: Int, of: Int)
    /// An item stands on two pages.
    case movedItem(id: String, earlier: Int, page: Int)
    /// All pages together have so many items, where the upstream tells of another total; the page is the last.
    case wrongTotal(Int, items: Int, page: Int)

    /// Whether the collection was probably changed while it was read, so that another reading may well succeed.
    public var isInconsistency: Bool {
        switch self {
        case .changedTotal, .changedPageCount, .emptyPage, .movedItem, .wrongTotal: true
        case .status, .html, .notJSON, .noItems, .unreadable, .unreadableItem, .repeatedPage, .loop, .badLink,
            .foreignLink,
            .tooManyPages:
            false
        }
    }
}

extension PaginationError: CustomStringConvertible {
    /// The sentence for operators. Cursors and links are not shown: they may let anybody in who has them.
    public var description: String {
        switch self {
        case .status(let response, let page): "page \(page): the upstream answered \(response.status)"
        case .html(let page): "page \(page): HTML instead of JSON"
        case .notJSON(let error, let page): "page \(page): invalid JSON at \(error)"
        case .noItems(let found, let paths, let page):
            "page \(page): expected an array at \(Self.places(paths)), found \(found)"
        case .unreadable(let field, let expected, let found, let page):
            "page \(page): expected \(expected) at \(field), found \(found)"
        case .unreadableItem(let path, let index, let found, let page):
            "page \(page): expected a text or number at \"\(path)\" of the last item, [\(index)], found \(found)"
        case .repeatedPage(let earlier, let page): "page \(page) is page \(earlier) again"
        case .loop(let to, let page): "page \(page) leads back to page \(to)"
        case .badLink(let page): "page \(page) links to what is no proper URL"
        case .foreignLink(let origin, let allowed, let page):
            "page \(page) links to \(TextExcerpt(origin)), which is not followed from \(allowed)"
        case .tooManyPages(let limit): "there are more than \(limit) pages"
        case .changedTotal(let from, let to, let page): "page \(page): the total changed from \(from) to \(to)"
        case .changedPageCount(let from, let to, let page):
            "page \(page): the number of pages changed from \(from) to \(to)"
        case .emptyPage(let page, let pages): "page \(page) of \(pages) is empty"
        case .movedItem(let id, let earlier, let page):
            "the item \"\(TextExcerpt(id))\" is on page \(earlier) and again on page \(page)"
        case .wrongTotal(let total, let items, let page):
            "page \(page) is the last, and \(items) items have come of a total of \(total)"
        }
    }

    private static func places(_ paths: [JSONPath]) -> String {
        paths.map { $0 == .root ? "the top level" : "\"\($0)\"" }.joined(separator: " or ")
    }
}
