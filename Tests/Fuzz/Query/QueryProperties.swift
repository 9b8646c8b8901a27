import HTTPServer
import Products
import Querying

/// What must hold for every query string that a client can send, whatever is in it.
///
/// It is read twice, by the fuzzer and by the test that replays the fuzzer's corpus. Each input goes the way of a real
/// one: percent-decoding, parsing, and the walk through all pages of what it finds.
public struct QueryProperties: Sendable {
    private static let limits = PageLimits(greatest: 8)
    private let index: CatalogueIndex

    /// Properties over a small catalogue of their own.
    /// - Throws: `ProductsFailure` when that catalogue is not one.
    public init() throws {
        index = try SampleShop.index()
    }

    /// Whether the query has an answer; the others were refused as they should be.
    /// - Parameter bytes: what stands behind the question mark, as it arrives.
    /// - Throws: ``QueryFault`` for the first property that does not hold.
    @discardableResult
    public func check(_ bytes: some Collection<UInt8>) throws(QueryFault) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let items = try decoded(text), let query = try parsed(items) else { return false }
        try checkBounds(of: query)
        try checkEquals(of: query, items)
        try PageWalk(index: index, query: query).check()
        return true
    }

    private func decoded(_ text: String) throws(QueryFault) -> [HTTPQueryItem]? {
        let items: [HTTPQueryItem]
        do throws(HTTPRequestError) {
            items = try Self.items(text)
        } catch {
            guard case .malformedQueryItem(let item) = error else {
                throw QueryFault("nothing but an item can be malformed", found: error)
            }
            let sent = text.utf8.split(separator: UInt8(ascii: "&"))
            try require("a malformed item was sent", sent.contains { $0.elementsEqual(item.utf8) }, found: item)
            return nil
        }
        let again = try? Self.items(items.map(\.encoded).joined(separator: "&"))
        try require("items stay the same in a link", again == items, found: again ?? [])
        return items
    }

    private func parsed(_ items: [HTTPQueryItem]) throws(QueryFault) -> ProductsQuery? {
        do throws(ProductsQueryProblem) {
            return try Self.query(items)
        } catch {
            try require("a problem points to a parameter that was sent", items.contains { $0.name == error.parameter })
            let sentence = error.description
            try require("a problem is a short sentence", (1..<1200).contains(sentence.utf8.count), found: sentence)
            return nil
        }
    }

    private func checkBounds(of query: ProductsQuery) throws(QueryFault) {
        let limit = query.limit ?? 1
        try require("pages are as long as they may be", (1...Self.limits.greatest).contains(limit), found: limit)
        try require("no more words than may be", query.words.count <= ProductsQuery.wordLimit)
        let isRange = query.minPrice.flatMap { least in query.maxPrice.map { least <= $0 } } ?? true
        try require("prices are a range", isRange)
        let lists = [query.types?.count, query.categories?.count, query.ids?.count, query.fields?.names.count]
        try require("a list names something", lists.allSatisfy { $0 != 0 })
    }

    /// The same parameters in another order, and amounts in another notation, are the same query. And what is the same
    /// query has the same pages and cursors, since answers are kept by it.
    private func checkEquals(of query: ProductsQuery, _ items: [HTTPQueryItem]) throws(QueryFault) {
        let reversed = try? Self.query(items.reversed())
        try require("the order of parameters does not matter", reversed == query)
        let respelt = try? Self.query(items.map(Respelling.respeltAmount))
        try require("the notation of amounts does not matter", respelt == query)
        let decomposed = try? Self.query(items.map(Respelling.decomposed))
        for other in [reversed, respelt, decomposed].compactMap(\.self) where other == query {
            try require("equal queries have one fingerprint", cursor(of: other) == cursor(of: query))
            try require("equal queries have equal pages", page(of: other) == page(of: query))
        }
    }

    private func cursor(of query: ProductsQuery) -> String {
        PageCursor(skipping: 1, of: query, revision: index.revision).text
    }

    private func page(of query: ProductsQuery) -> Result<ProductsPage, PageCursorProblem> {
        Result { () throws(PageCursorProblem) in try index.page(of: query) }
    }

    private static func items(_ text: String) throws(HTTPRequestError) -> [HTTPQueryItem] {
        try HTTPRequest(target: "/products?" + text).queryItems
    }

    static func query(_ items: [HTTPQueryItem]) throws(ProductsQueryProblem) -> ProductsQuery {
        try ProductsQuery(parsing: items.lazy.map { (name: $0.name, value: $0.value) }, limits: limits)
    }
}
