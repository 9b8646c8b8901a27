/// What a provider may decide by. Built from HTTP headers by the route, and never holds more than the graph consults.
public struct ProductsRequest: Sendable {
    /// The values of the request headers that the graph consults, by lower-case header name.
    public var audience: [String: String]
    /// Who takes part in experiments, so that one subject always sees the same variant.
    public var subject: String?
    /// Whether the caller asked not to be counted.
    public var analyticsOptOut: Bool
    /// When the caller stops waiting.
    public var deadline: ContinuousClock.Instant?
    /// The last catalogue that was believed, from whoever on the way keeps one; what a new one is compared with.
    public var lastGood: ProductsSnapshot?

    /// A request; without arguments, the one that the service makes for itself.
    public init(
        audience: [String: String] = [:], subject: String? = nil, analyticsOptOut: Bool = false,
        deadline: ContinuousClock.Instant? = nil, lastGood: ProductsSnapshot? = nil
    ) {
        self.audience = audience
        self.subject = subject
        self.analyticsOptOut = analyticsOptOut
        self.deadline = deadline
        self.lastGood = lastGood
    }
}
