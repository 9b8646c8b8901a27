public import Products

/// That a provider was asked on a way through the graph.
public struct Visit: Sendable {
    /// What came of asking it.
    public enum Outcome: Sendable, Hashable {
        /// It has not answered yet.
        case running
        /// It gave an answer.
        case answered
        /// It failed.
        case failed(ProductsFailure)
        /// Whoever asked it wanted no answer any more.
        case cancelled
    }

    /// The `ComponentOutline.id` of the provider.
    public let node: String
    /// The position, among the visits of the way, of the one that asked it; nil for the first.
    public let parent: Int?
    /// What came of it.
    public internal(set) var outcome: Outcome
    /// What had been done for the answer when the provider gave it; only on a way that is timed.
    public internal(set) var trail: [TrailStep] = []
    /// When it was asked, counted from when the recorder was made; zero on a way that is not timed.
    public let begin: Duration
    /// When it answered or failed; nil while it has not, and on a way that is not timed.
    public internal(set) var end: Duration?
}
