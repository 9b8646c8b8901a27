internal import HTTPServer
internal import Products

/// `GET /products/{id}`: one product.
struct ShowProductHandler: HTTPHandler, ConditionalResponding, FreshnessResponding, QueryRefusing {
    let useCase: ProductsUseCase
    let listings: ListingCache
    let cacheControl: CacheControl
    let wallClock: WallClock

    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        try refuseQuery(of: request)
        let listing = try await useCase.products(for: ProductsRequest(request))
        let encoded = await listings.encoded(listing)
        guard let id = request.pathParameters["id"], let product = encoded.product(withID: id) else {
            throw ProblemDetails(status: .notFound, detail: "there is no such product in the catalogue")
        }
        let head = try head(for: product, of: listing.answer, lastModified: encoded.lastModified)
        return respond(with: product, head: head, to: request)
    }
}
