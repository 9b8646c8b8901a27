internal import Concurrency
internal import FileSystem

/// Counts of a sink's events, those of its predecessors at reloads included.
public struct AnalyticsStatistics: Sendable, Hashable {
    /// Events in the queue, without those that wait for another try of delivery.
    public let queued: Int
    /// Events that reached their destination, by name. The names are those of the config and `experiment_exposure`.
    public let sent: [String: Int]
    /// Lost events, by reason. A batch that a writer had when its time was over counts as lost, though it may still get
    /// through.
    public let dropped: [AnalyticsDropReason: Int]

    /// Creates statistics.
    public init(queued: Int, sent: [String: Int], dropped: [AnalyticsDropReason: Int]) {
        self.queued = queued
        self.sent = sent
        self.dropped = dropped
    }
}

/// Counts the events of a sink. Safe from any thread. A sink that replaces another at a reload goes on with its tally.
public final class AnalyticsTally: Sendable {
    private struct Counts: Sendable {
        var sent: [String: Int] = [:]
        var dropped: [AnalyticsDropReason: Int] = [:]
    }

    private let counts = Mutex(Counts())

    /// Creates an empty tally.
    public init() {}

    /// Events that reached their destination, by name.
    public var sent: [String: Int] { counts.withLock(\.sent) }

    /// Lost events, by reason.
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
    /// The queue was full, because the writer does not keep up.
    case queueFull = "queue_full"
    /// The writer failed.
    case writeFailed = "write_failed"
    /// The disk was full.
    case diskFull = "disk_full"
    /// The sink was closed, or its closing deadline passed.
    case closed
    /// The receiver would ignore the event for its form, or the spool's copy was damaged.
    case invalid
    /// The event alone is larger than the receiver takes.
    case tooLarge = "too_large"
    /// The receiver rejected the event, and would again.
    case refused
    /// The event waited longer than the receiver accepts, or was retried too often.
    case expired
    /// The events that wait for another try had used all room.
    case backlogFull = "backlog_full"

    /// The reason that an error of a writer stands for.
    init(writing error: any Error) {
        switch error {
        case let error as FileSystemError where error.isOutOfSpace: self = .diskFull
        case is CancellationError: self = .closed
        default: self = .writeFailed
        }
    }
}
