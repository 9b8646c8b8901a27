public import Configuration
public import FoundationEssentials
public import JSON

/// A place where events go.
///
/// `log` returns at once and cannot fail, because counting must never slow down or break what is counted: a sink that
/// cannot keep up drops events and counts what it dropped. Safe from any thread.
public protocol AnalyticsSink: Sendable {
    /// Takes an event, or drops it.
    func log(_ event: AnalyticsEvent)
}

/// Something that happened and is worth counting, such as `products_network_hit`.
public struct AnalyticsEvent: Sendable, Hashable {
    /// The event's name as the config file spells it.
    public var name: String
    /// When it happened, by the wall clock.
    public var timestamp: Date
    /// What the config file adds to every event of this name, in its order.
    public var parameters: JSONObject
    /// Whom it is about, by a pseudonym; nil where it is about nobody in particular.
    public var subject: String?

    /// Makes an event.
    public init(name: String, timestamp: Date, parameters: JSONObject = JSONObject(), subject: String? = nil) {
        self.name = name
        self.timestamp = timestamp
        self.parameters = parameters
        self.subject = subject
    }
}

/// Where a queued sink's events end up: a file, the log, somebody's HTTP endpoint.
///
/// Called by one task at a time, off the request path, so it need not be quick. It counts what it wrote in the tally
/// that it shares with its queue.
public protocol AnalyticsWriter: Sendable {
    /// Writes a batch whole and in order.
    ///
    /// When its task is cancelled the sink is out of time: what can be written without waiting for somebody still is.
    ///
    /// - Throws: whatever kept the batch from being written; the queue counts the batch as lost and goes on.
    func write(_ batch: [AnalyticsEvent]) async throws
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

    /// How long a sink may take to write what waits when the service stops.
    static let closingDeadline: Duration = .seconds(2)

    /// In a dry run, one that drops all events.
    public static func standIn(in assembly: Assembly) -> (any AnalyticsSink)? {
        assembly.optionalResource(DryRun.self).map { _ in TeeAnalyticsSink(sinks: []) }
    }

    /// Used as it was made.
    public static func adopt(_ instance: any AnalyticsSink, as outline: ComponentOutline, in assembly: Assembly)
        -> any AnalyticsSink
    {
        instance
    }
}

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
