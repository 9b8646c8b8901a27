internal import Configuration
internal import Products

/// All that encoded listings and their heads depend on beside the catalogue and the time.
struct ListingRules: Equatable {
    /// How many variants there are to keep.
    let variants: Int
    private let defaultLimit: Int
    private let popularity: PopularityRule
    private let maxAge: Duration
    private let cacheScope: HTTPConfiguration.CacheScope?
    private let vary: String

    init(_ configuration: LoadedConfiguration) {
        let variance = AnswerVariance(configuration.root.outline.variations)
        variants = variance.variants
        defaultLimit = configuration.service.http.pagination.defaultLimit
        popularity = configuration.service.popularity
        maxAge = configuration.service.http.maxAge
        cacheScope = configuration.service.http.cacheScope
        vary = variance.vary
    }
}
