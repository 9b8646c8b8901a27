internal import HTTPServer
internal import Products

/// `GET /products`: the whole catalogue, or what a query finds in it.
struct ListProductsHandler: ProductsHandler, ConditionalResponding, FreshnessResponding, CodingNegotiating,
    ProductsQueryReading
{
    /// Where the products are.
    static let path = "/products"

    let resource: ProductsResource
    let limits: PageLimits
    /// The query of those who have none; nil for the whole catalogue.
    private let standing: ProductsQuery?

    init(resource: ProductsResource, limits: PageLimits) {
        self.resource = resource
        self.limits = limits
        standing = limits.whenNotGiven.map { ProductsQuery(limit: $0) }
    }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let query = try productsQuery(of: request, limits: limits) ?? standing
        return try answer(to: WantedProducts(request: request, query: query, coding: coding(for: request)))
    }

    func answer(
        to wanted: WantedProducts, from encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPAnswer {
        if let products = encoded.keptAnswer(to: wanted.query, wanted.coding.best) {
            return .ready(try respond(to: wanted, with: products, encoded, answer))
        }
        return .pending { try respond(to: wanted, with: await products(wanted, encoded), encoded, answer) }
    }

    private func respond(
        to wanted: WantedProducts, with products: EncodedAnswer, _ encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPResponse {
        let products = wanted.coding.orNone ? products : products.gzipped
        let form = try form(of: products.representation, lastModified: encoded.lastModified, for: wanted.request)
        var head = try head(of: products, as: form, from: answer, lastModified: encoded.lastModified)
        if let next = products.next {
            try head.append("Link", try PageLinks(wanted.request, path: Self.path).next(next))
        }
        return respond(with: products.representation, as: form, head: head)
    }

    private func products(_ wanted: WantedProducts, _ encoded: EncodedListing) async throws -> EncodedAnswer {
        do {
            return try await encoded.answer(to: wanted.query, wanted.coding.best)
        } catch PageCursorProblem.ofAnotherRevision {
            throw ReplacedPages(firstPage: try PageLinks(wanted.request, path: Self.path).first)
        } catch let problem as PageCursorProblem {
            throw ProductsQueryProblem.cursor(problem)
        }
    }
}
