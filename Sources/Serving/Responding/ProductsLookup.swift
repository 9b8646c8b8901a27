internal import Concurrency
internal import HTTPServer
internal import Products
internal import Querying

/// A request for products, read and negotiated.
struct ProductsLookup: Sendable {
    /// The resource that is wanted. Cases of few requests are indirect, since others copy the size of the largest.
    enum Subject: Sendable {
        /// The products that match the query.
        case products
        case product(id: String)
        /// The product, or variant, with a value of a declared key.
        indirect case keyed(String, value: String)
        /// The product and the variant that a key found.
        indirect case found(position: Int, variant: String?)
        indirect case categories(CategoriesQuery)
    }

    let request: HTTPRequest
    var subject: Subject
    /// Nil for all products.
    let query: ReadQuery?
    /// The best coding, and whether the identity coding is acceptable too.
    let coding: (best: ContentCoding, orNone: Bool)

    /// Reads the query of a request, if any, and negotiates coding and language. An unknown parameter is refused, so that a
    /// misspelt filter is noticed.
    /// - Parameters:
    ///   - known: the parameters that the route takes.
    ///   - standing: the query of a request without one.
    ///   - languages: those that are negotiated.
    /// - Throws: `ProductsQueryProblem`, `UnacceptableCodings`, or `HTTPRequestError` when the query cannot be decoded.
    init(
        _ request: HTTPRequest, _ subject: Subject = .products,
        taking known: @autoclosure () -> ProductsQueryParameters, limits: PageLimits,
        otherwise standing: ReadQuery? = nil, in languages: [String] = [], _ memo: QueryMemo = QueryMemo()
    ) throws {
        self.request = request
        self.subject = subject
        query =
            request.rawQuery == nil && languages.isEmpty
            ? standing
            : try Self.query(of: request, known, limits, otherwise: standing, in: languages, memo)
        coding = try AcceptedCodings.negotiated(for: request)
    }

    private static func query(
        of request: HTTPRequest, _ known: () -> ProductsQueryParameters, _ limits: PageLimits,
        otherwise standing: ReadQuery?, in languages: [String], _ memo: QueryMemo
    ) throws -> ReadQuery? {
        var query = standing
        if let text = request.rawQuery {
            query = try memo.query(text) {
                let items = try request.queryItems.lazy.map { (name: $0.name, value: $0.value) }
                return try ProductsQuery(parsing: items, taking: known(), limits: limits)
            }
        }
        if !languages.isEmpty, let header = request.preferences("Accept-Language"),
            let language = AcceptedLanguages(header).choice(of: languages)
        {
            var localized = query?.query ?? ProductsQuery()
            localized.language = language
            query = ReadQuery(localized)
        }
        return query
    }

    /// Creates a request for the whole catalogue.
    init(_ request: HTTPRequest, _ coding: (best: ContentCoding, orNone: Bool)) {
        (self.request, subject, query, self.coding) = (request, .products, nil, coding)
    }

    /// Creates a request for the tree of categories.
    init(_ request: HTTPRequest, _ categories: CategoriesQuery) throws {
        self.request = request
        (subject, query) = (.categories(categories), nil)
        coding = try AcceptedCodings.negotiated(for: request)
    }

    /// The id of one product; nil for several.
    func id(in catalogue: Catalogue) -> String? {
        switch subject {
        case .product(let id): id
        case .found(let position, _): catalogue.text(at: position).id
        case .products, .keyed, .categories: nil
        }
    }
}

/// A query that has been read. A class, since a copy of a query costs as much as the rest of a look-up.
final class ReadQuery: Sendable {
    let query: ProductsQuery

    init(_ query: ProductsQuery) { self.query = query }
}

/// Keeps the queries that a route has read last, since reading one costs more than the rest of a cached response.
final class QueryMemo: Sendable {
    private static let capacity = 256
    /// The longest text that is kept.
    private static let longest = 512

    /// The queries by their texts as they came, compared by their bytes.
    private let kept = Mutex<[ExactText: ReadQuery]>([:])

    /// Returns the query of a text.
    /// - Parameter read: reads it if it is not kept.
    func query(_ text: String, read: () throws -> ProductsQuery) rethrows -> ReadQuery {
        guard text.utf8.count <= Self.longest else { return ReadQuery(try read()) }
        let key = ExactText(text)
        if let query = kept.withLock({ $0[key] }) { return query }
        let query = ReadQuery(try read())
        kept.withLock { kept in
            if kept.count == Self.capacity { kept.removeAll(keepingCapacity: true) }
            kept[key] = query
        }
        return query
    }
}
