public import Configuration
public import FoundationEssentials
public import JSON

/// Receives events.
///
/// `log` returns at once and cannot fail, because counting must never slow down or break what is counted: a sink that
/// cannot keep up drops events and counts them. Safe from any thread.
public protocol AnalyticsSink: Sendable {
    /// Takes an event, or drops it.
    func log(_ event: AnalyticsEvent)
}

/// An occurrence to be counted, such as `products_network_hit`.
public struct AnalyticsEvent: Sendable, Hashable {
    /// The name in the config file.
    public var name: String
    /// Wall-clock time of the occurrence.
    public var timestamp: Date
    /// Parameters of the config file, in its order.
    public var parameters: JSONObject
    /// Pseudonym of the person that the event is about, if any.
    public var subject: String?

    /// Makes an event.
    public init(name: String, timestamp: Date, parameters: JSONObject = JSONObject(), subject: String? = nil) {
        self.name = name
        self.timestamp = timestamp
        self.parameters = parameters
        self.subject = subject
    }
}

/// Writes the events of a queued sink to a file, the log or an HTTP endpoint.
///
/// Called by one task at a time, off the request path, so it need not be quick. A writer counts the events it wrote in
/// the tally that it shares with its queue.
public protocol AnalyticsWriter: Sendable {
    /// Writes a batch whole and in order.
    ///
    /// When its task is cancelled the sink is out of time; the writer still writes where it need not wait for others.
    ///
    /// - Throws: the reason why the batch was not written; the queue counts the batch as lost and goes on.
    func write(_ batch: [AnalyticsEvent]) async throws

    /// Bytes that wait for another try; nil for a writer that keeps none. Waits for no disk.
    var backlogBytes: Int? { get }
}

/// The `analytics:` section: named places where events go.
public enum SinkFamily: ComponentFamily {
    /// A sink.
    public typealias Instance = any AnalyticsSink
    /// `sink`.
    public static let noun = "sink"
    /// `analytics`.
    public static let section = "analytics"

    /// Every sink a config file can name.
    public static let specs: [ComponentSpec<SinkFamily>] = [
        FileAnalyticsWriter.spec, LogAnalyticsWriter.spec, GoogleAnalyticsWriter.spec, TeeAnalyticsSink.spec,
    ]

    /// Time for a sink to write waiting events when the service stops.
    static let closingDeadline: Duration = .seconds(2)

    /// Drops all events in a dry run.
    public static func standIn(in assembly: Assembly) -> (any AnalyticsSink)? {
        assembly.optionalResource(DryRun.self).map { _ in TeeAnalyticsSink(sinks: []) }
    }

    /// Returns the sink as it is.
    public static func adopt(_ instance: any AnalyticsSink, as outline: ComponentOutline, in assembly: Assembly)
        -> any AnalyticsSink
    {
        instance
    }
}

/// Clocks and chance for sinks of a config; a resource of the assembly, which may be absent.
public struct AnalyticsEnvironment: Sendable {
    /// Times pauses between tries, and closing.
    public let clock: any Clock<Duration>
    /// The wall clock, by which events expire.
    public let now: @Sendable () -> Date
    /// Place of a pause in its range, from 0 to 1.
    public let jitter: @Sendable () -> Double

    /// Creates an environment; without arguments, the machine's.
    public init(
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.clock = clock
        self.now = now
        self.jitter = jitter
    }
}
