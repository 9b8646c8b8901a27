public import JSON

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
