public import Tracing

/// Where products come from: the one method that every source, strategy and decorator of the graph conforms to.
///
/// A provider either answers with a whole catalogue or throws a ``ProductsFailure``; it never answers with an empty
/// catalogue to mean "I have none". It may be asked by many tasks at once. It runs on its caller's executor, which is
/// usually an event loop, so whatever takes over a millisecond moves itself to the global concurrent executor.
public protocol ProductsProvider: Sendable {
    /// The catalogue as this provider has it for the request.
    func products(for request: ProductsRequest) async throws -> ProductsAnswer
}

/// A provider that often has its answer at hand, and then gives it without a suspension.
///
/// Asking an async function costs several times what it costs to look at a kept answer, so whoever asks for every
/// request looks here first.
public protocol PromptProductsProvider: ProductsProvider {
    /// The answer, or the failure, if it is at hand: the one that `products(for:)` would give, with all that comes of it.
    ///
    /// - Returns: nil if it has to be waited for. Then nothing has happened, and `products(for:)` is to be asked.
    func answerAtHand(for request: ProductsRequest) throws -> ProductsAnswer?
}

/// Where products can be kept for the days when their source is away.
///
/// A saver either keeps the whole snapshot or throws and keeps what it had; it never keeps half of one.
public protocol ProductsSaver: Sendable {
    /// Keeps the snapshot, replacing what was kept before once it is safe.
    func save(_ snapshot: ProductsSnapshot) async throws
}

/// What a provider may decide by. Built from HTTP headers by the route, and never holds more than the graph consults.
public struct ProductsRequest: Sendable {
    /// The values of the request headers that the graph consults, by lower-case header name; a header that the request
    /// does not have is not in it.
    public var headers: [String: String]
    /// Whether the caller asked not to be counted.
    public var analyticsOptOut: Bool
    /// When the caller stops waiting.
    public var deadline: ContinuousClock.Instant?
    /// The last catalogue that was believed, from whoever on the way keeps one; what a new one is compared with.
    public var lastGood: ProductsSnapshot?
    /// Whether a provider asks for an answer to keep, so that nobody in particular is shown it.
    public var isRefresh: Bool
    /// Whether the caller cannot wait, as with `only-if-cached` of RFC 9111: an answer that is not at hand is of no use.
    public var onlyIfAtHand = false
    /// Who follows the request, and how far it has come; nil when nobody does.
    public var explanation: Explanation?
    /// Tells of the client's request behind it; nil for what the service asks of its own accord.
    public var source: (any RequestCauseSource)?
    /// The client's request behind it, for logs and upstreams. Nothing is decided by it.
    public var cause: RequestCause? { source?.cause }

    /// A request; without arguments, the one that the service makes for itself.
    public init(
        headers: [String: String] = [:], analyticsOptOut: Bool = false,
        deadline: ContinuousClock.Instant? = nil, lastGood: ProductsSnapshot? = nil, isRefresh: Bool = false,
        explanation: Explanation? = nil, cause source: (any RequestCauseSource)? = nil
    ) {
        self.headers = headers
        self.analyticsOptOut = analyticsOptOut
        self.deadline = deadline
        self.lastGood = lastGood
        self.isRefresh = isRefresh
        self.explanation = explanation
        self.source = source
    }
}
