public import FoundationEssentials

/// What sinks made from a config need beside logger and HTTP client; a resource of the assembly, which may be absent.
public struct AnalyticsEnvironment: Sendable {
    /// Times the pauses between tries, and the closing.
    public let clock: any Clock<Duration>
    /// The time of day, by which events get old.
    public let now: @Sendable () -> Date
    /// Where in its range a pause lies: from 0 to 1.
    public let jitter: @Sendable () -> Double
    /// How often a place that is shared with others is looked through for what they have left, and what fails again and
    /// again is tried; nil for never.
    public let rescan: Duration?

    /// Creates an environment; without arguments, the machine's.
    public init(
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }, rescan: Duration? = .seconds(60)
    ) {
        self.clock = clock
        self.now = now
        self.jitter = jitter
        self.rescan = rescan
    }
}
