package import FoundationEssentials
internal import Health
package import JSON
package import Logging

/// Receives events.
///
/// `log` returns at once and cannot fail, because analytics must not slow down or break requests. A sink that cannot
/// keep up drops events and counts them. Safe from any thread.
package protocol AnalyticsSink: Sendable {
    /// Takes an event, or drops it.
    func log(_ event: AnalyticsEvent)
}

/// An occurrence to be counted, such as `products_network_hit`.
package struct AnalyticsEvent: Sendable {
    /// Everything about an occurrence except its time. Equal events share one, which makes them cheap to queue and
    /// write.
    package final class Content: Sendable {
        let name: String
        let parameters: JSONObject
        let subject: String?

        /// - Parameter subject: pseudonym of the person that the event is about, if any.
        package init(name: String, parameters: JSONObject = JSONObject(), subject: String? = nil) {
            self.name = name
            self.parameters = parameters
            self.subject = subject
        }
    }

    let content: Content
    /// Wall-clock time of the occurrence.
    package let timestamp: Date

    package init(_ content: Content, at timestamp: Date) {
        self.content = content
        self.timestamp = timestamp
    }

    package var name: String { content.name }
    package var parameters: JSONObject { content.parameters }
    package var subject: String? { content.subject }
}

/// Writes the events of a queued sink to a file, the log or an HTTP endpoint.
///
/// Called by one task at a time, off the request path, so it may take its time. A writer counts the events it wrote in
/// the tally that it shares with its queue.
package protocol AnalyticsWriter: Sendable {
    /// Writes a batch whole and in order.
    ///
    /// A cancelled task means that the sink is closing; the writer then writes only without waiting for others.
    ///
    /// - Throws: the reason why the batch was not written; the queue counts the batch as lost and continues.
    func write(_ batch: [AnalyticsEvent]) async throws

    /// Bytes that wait for another try; nil for a writer that keeps none. Does not wait for a disk.
    var backlogBytes: Int? { get }
}

/// Clock and randomness for sinks.
package struct AnalyticsEnvironment: Sendable {
    /// Times pauses between tries, and closing.
    package let clock: any Clock<Duration>
    package let now: @Sendable () -> Date
    /// Place of a pause in its range, from 0 to 1.
    package let jitter: @Sendable () -> Double

    package init(
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.clock = clock
        self.now = now
        self.jitter = jitter
    }
}

/// Passes every event to several sinks. Each has a queue of its own, so a failing one does not affect the others.
package struct TeeAnalyticsSink: AnalyticsSink {
    private let sinks: [any AnalyticsSink]

    package init(sinks: [any AnalyticsSink]) {
        self.sinks = sinks
    }

    package func log(_ event: AnalyticsEvent) {
        for sink in sinks { sink.log(event) }
    }
}

/// Writes events into the service's own log, at level `info`.
package struct LogAnalyticsWriter: AnalyticsWriter {
    private let logger: Logger
    private let tally: AnalyticsTally

    package init(logger: Logger, tally: AnalyticsTally) {
        self.logger = logger
        self.tally = tally
    }

    /// A batch that cannot be written is lost.
    package var backlogBytes: Int? { nil }

    package func write(_ batch: [AnalyticsEvent]) async throws {
        for event in batch {
            var metadata: Logger.Metadata = ["event": "\(event.name)"]
            for member in event.parameters.members {
                metadata["parameters.\(member.key)"] = "\(member.value.string ?? "\(member.value)")"
            }
            logger.info("analytics", metadata: metadata)
        }
        tally.recordSent(batch.map(\.name))
    }
}

typealias AnalyticsTroubles = TroubleLog<AnalyticsTrouble>

/// A condition that loses or delays events, by the line that is logged when it begins.
enum AnalyticsTrouble: String, LoggedTrouble {
    case failing = "analytics sink fails, events are dropped"
    case notRotated = "analytics file cannot be rotated and grows"
    case undelivered = "analytics cannot be delivered and wait"
    case refused = "analytics are refused, events are dropped"
    case full = "backlog of undelivered analytics is full, events are dropped"
    case notKept = "undelivered analytics cannot be kept, events are dropped"
    case notRead = "undelivered analytics cannot be read and wait"

    var kind: Trouble.Kind { .analytics }
    var name: String { "\(self)" }
    var level: Logger.Level { .warning }
    var beginning: Logger.Message { "\(rawValue)" }

    var end: Logger.Message? {
        switch self {
        case .failing: "analytics sink recovered"
        case .notRotated: "analytics file is rotated again"
        case .undelivered: "analytics are delivered again"
        case .refused: "analytics are accepted again"
        case .full: "backlog of undelivered analytics has room again"
        case .notKept: "undelivered analytics can be kept again"
        case .notRead: "undelivered analytics can be read again"
        }
    }
}
