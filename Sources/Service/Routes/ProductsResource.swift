internal import Products

/// What the routes of products answer from.
struct ProductsResource: Sendable {
    let useCase: ProductsUseCase
    let meter: AnswerMeter
    let listings: ListingCache
    let consulted: ConsultedHeaders
    let cacheControl: CacheControl
    let wallClock: WallClock
}
