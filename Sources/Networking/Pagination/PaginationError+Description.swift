internal import JSON

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
