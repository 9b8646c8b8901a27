internal import Concurrency
internal import FileSystem

/// What became of the events of a sink, and of those sinks that it took the place of at reloads.
public struct AnalyticsStatistics: Sendable, Hashable {
    /// How many wait in the queue at this moment; what waits for another try of delivery is not among them.
    public let queued: Int
    /// How many reached their destination, by the event's name. There are as many names as the config gives, and
    /// `experiment_exposure`.
    public let sent: [String: Int]
    /// How many were lost, by reason. What a writer was at when its time was over is lost by this count, though it may
    /// still get through.
    public let dropped: [AnalyticsDropReason: Int]

    /// Creates statistics.
    public init(queued: Int, sent: [String: Int], dropped: [AnalyticsDropReason: Int]) {
        self.queued = queued
        self.sent = sent
        self.dropped = dropped
    }
}

/// Counts what became of a sink's events. Safe from any thread.
///
/// A sink that takes the place of another at a reload goes on with its tally.
public final class AnalyticsTally: Sendable {
    private struct Counts: Sendable {
        var sent: [String: Int] = [:]
        var dropped: [AnalyticsDropReason: Int] = [:]
    }

    private let counts = Mutex(Counts())

    /// Begins at nothing.
    public init() {}

    /// How many events reached their destination, by name.
    public var sent: [String: Int] { counts.withLock(\.sent) }

    /// How many events were lost, by reason.
    public var dropped: [AnalyticsDropReason: Int] { counts.withLock(\.dropped) }

    /// Counts events that reached their destination, each by its name.
    public func noteSent(_ names: [String]) {
        counts.withLock { counts in
            for name in names { counts.sent[name, default: 0] += 1 }
        }
    }

    /// Counts events that were lost.
    public func noteDropped(_ count: Int, _ reason: AnalyticsDropReason) {
        guard count > 0 else { return }
        counts.withLock { $0.dropped[reason, default: 0] += count }
    }
}

/// Why an event was lost. The raw value is the metric label.
public enum AnalyticsDropReason: String, Sendable, CaseIterable {
    /// The queue was full: the writer does not keep up.
    case queueFull = "queue_full"
    /// The writer failed.
    case writeFailed = "write_failed"
    /// There was no room on the disk.
    case diskFull = "disk_full"
    /// The sink was closed, or its closing deadline passed.
    case closed
    /// The event is not of a form that the receiver takes, or could not be read back from the spool.
    case invalid
    /// The event alone is larger than the receiver takes.
    case tooLarge = "too_large"
    /// The receiver said no, and would say it again.
    case refused
    /// The event waited for so long that the receiver takes it no more.
    case expired
    /// As many events as may wait for delivery waited already.
    case backlogFull = "backlog_full"
}

extension AnalyticsDropReason {
    /// What an error of a writer means for the events that were to be written.
    init(writing error: any Error) {
        switch error {
        case let error as FileSystemError where error.isOutOfSpace: self = .diskFull
        case is CancellationError: self = .closed
        default: self = .writeFailed
        }
    }
}

/// A sink that can tell what became of its events.
///
/// The sinks behind a `tee` report each for itself; the tee has nothing to tell. Counts only grow, also over a reload.
public protocol AnalyticsReporting: Sendable {
    /// The counts at this moment. May be asked for at any time, from any thread.
    var statistics: AnalyticsStatistics { get }
    /// How many bytes wait for another try of delivery; nil for a sink that keeps nothing for that. May be asked for at
    /// any time, from any thread, and waits for no disk.
    var backlogBytes: Int? { get }
}

/// A writer that keeps what it could not deliver.
protocol BacklogReporting: Sendable {
    /// How many bytes wait for another try.
    var backlogBytes: Int { get }
}
