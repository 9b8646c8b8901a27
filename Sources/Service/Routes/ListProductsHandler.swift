internal import HTTPServer
internal import Products

/// `GET /products`: the whole catalogue.
struct ListProductsHandler: HTTPHandler, ConditionalResponding, FreshnessResponding, QueryRefusing {
    let useCase: ProductsUseCase
    let listings: ListingCache
    let cacheControl: CacheControl
    let wallClock: WallClock

    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        try refuseQuery(of: request)
        let listing = try await useCase.products(for: ProductsRequest(request))
        let encoded = await listings.encoded(listing)
        let head = try head(
            for: encoded.whole, of: listing.answer, lastModified: encoded.lastModified, memo: encoded.headMemo)
        return respond(with: encoded.whole, head: head, to: request)
    }
}
