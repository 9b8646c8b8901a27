internal import HTTPServer
internal import Products

/// `GET /products/{id}`: one product.
struct ShowProductHandler: HTTPHandler, ConditionalResponding, FreshnessResponding, QueryReading {
    let resource: ProductsResource

    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        let query = try query(of: request, taking: [ProductsView.parameter])
        let view = try query.choice(ProductsView.parameter, of: ProductsView.self)
        let listing = try await resource.useCase.products(for: resource.consulted.products(request))
        let encoded = await resource.listings.encoded(listing)
        guard let id = request.pathParameters["id"], let position = encoded.catalogue.position(ofID: id) else {
            throw ProblemDetails(status: .notFound, detail: "there is no such product in the catalogue")
        }
        let product = await encoded.view(view).product(at: position)
        let head = try head(for: product, of: listing.answer, lastModified: encoded.lastModified)
        return respond(with: product, head: head, to: request)
    }
}
