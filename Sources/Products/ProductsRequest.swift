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
