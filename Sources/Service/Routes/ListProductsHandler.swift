internal import HTTPServer
internal import Products

/// `GET /products`: the whole catalogue.
struct ListProductsHandler: HTTPHandler, ConditionalResponding, FreshnessResponding, QueryReading {
    let resource: ProductsResource

    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        let query = try query(of: request, taking: [ProductsView.parameter])
        let view = try query.choice(ProductsView.parameter, of: ProductsView.self)
        let listing = try await resource.useCase.products(for: resource.consulted.products(request))
        let encoded = await resource.listings.encoded(listing)
        let products = await encoded.view(view)
        let head = try head(
            for: products.whole, of: listing.answer, lastModified: encoded.lastModified, memo: products.headMemo)
        return respond(with: products.whole, head: head, to: request)
    }
}
