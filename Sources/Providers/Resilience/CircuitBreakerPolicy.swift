/// When a circuit breaker opens, and for how long.
public struct CircuitBreakerPolicy: Sendable, Hashable {
    /// In seconds: what the ratio is taken of.
    static let window = 30
    /// The fewest calls in the window that the ratio says something about.
    static let fewestCalls = 10

    /// Opens after so many failures in a row.
    public var failures: Int
    /// Opens when this share, above 0 and up to 1, of the calls of the last 30 seconds failed, of ten at least.
    public var ratio: Double
    /// How long it stays open at first; doubles with every probe that fails.
    public var openFor: Duration
    /// Where the doubling ends.
    public var longestOpen: Duration
    /// How long the probe may take.
    public var probeTimeout: Duration

    /// Makes a policy; the defaults are the config file's.
    public init(
        failures: Int = 5, ratio: Double = 0.5, openFor: Duration = .seconds(10), longestOpen: Duration = .seconds(60),
        probeTimeout: Duration = .seconds(5)
    ) {
        self.failures = failures
        self.ratio = ratio
        self.openFor = openFor
        self.longestOpen = longestOpen
        self.probeTimeout = probeTimeout
    }
}
