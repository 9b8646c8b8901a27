internal import HTTPServer
internal import Products

/// Reads which products a request asks for. What a route does not know is refused instead of ignored, so that a misspelt
/// filter is noticed.
protocol ProductsQueryReading: Sendable {}

extension ProductsQueryReading {
    /// The query of a request; nil when there is none, as in most requests, which then cost nothing here.
    /// - Throws: `ProductsQueryProblem`, or `HTTPRequestError` when the query cannot be decoded.
    func productsQuery(
        of request: HTTPRequest, taking known: [ProductsQueryParameter] = ProductsQueryParameter.allCases,
        limits: PageLimits
    ) throws -> ProductsQuery? {
        guard request.rawQuery != nil else { return nil }
        let items = try request.queryItems.lazy.map { (name: $0.name, value: $0.value) }
        return try ProductsQuery(parsing: items, taking: known, limits: limits)
    }
}
