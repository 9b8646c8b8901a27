internal import Products

/// What the routes of products answer from.
struct ProductsResource: Sendable {
    let useCase: ProductsUseCase
    let listings: ListingCache
    let cacheControl: CacheControl
    let wallClock: WallClock
}
