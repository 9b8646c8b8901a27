internal import FoundationEssentials
internal import Products

/// What an answer is, at a moment.
struct AnswerReport: Sendable {
    /// For how long something may still be done with it.
    struct Windows: Sendable {
        let isOffline: Bool
        /// How long it will be fresh; negative when it is not any more.
        let freshFor: Duration
        /// How long it may be served.
        let servableFor: Duration
    }

    let age: Duration
    let fetchedAt: Date
    let origin: ProductsOrigin
    let products: Int
    let revision: String
    /// Nil where nothing in the graph keeps answers.
    let windows: Windows?

    init(_ answer: ProductsAnswer, at time: Date) {
        let snapshot = answer.snapshot
        age = snapshot.age(at: time)
        fetchedAt = snapshot.fetchedAt
        origin = snapshot.origin
        products = snapshot.products.count
        revision = snapshot.revision
        let reckoned = snapshot.reckoned(at: time)
        windows = answer.freshness.map { freshness in
            Windows(
                isOffline: freshness.isOffline,
                freshFor: .seconds(freshness.freshUntil.timeIntervalSince(reckoned)),
                servableFor: .seconds(freshness.servableUntil.timeIntervalSince(reckoned)))
        }
    }
}
