internal import Concurrency
internal import FileSystem

/// Counts of a sink's events. A reload does not reset them.
package struct AnalyticsStatistics: Sendable, Hashable {
    /// Events in the queue, without those that wait for another try of delivery.
    package let queued: Int
    /// Events that reached their destination, by name. The names are those of the config and `experiment_exposure`.
    package let sent: [String: Int]
    /// Lost events, by reason. A batch that was being written at the closing deadline counts as lost, although it may
    /// still arrive.
    package let dropped: [AnalyticsDropReason: Int]
}

/// Counts the events of a sink. Safe from any thread. A sink that replaces another at a reload continues its tally.
package final class AnalyticsTally: Sendable {
    private struct Counts: Sendable {
        var sent: [String: Int] = [:]
        var dropped: [AnalyticsDropReason: Int] = [:]
    }

    private let counts = Mutex(Counts())

    package init() {}

    package var sent: [String: Int] { counts.withLock(\.sent) }

    package var dropped: [AnalyticsDropReason: Int] { counts.withLock(\.dropped) }

    /// Counts events that reached their destination, each by its name.
    package func recordSent(_ names: [String]) {
        counts.withLock { counts in
            var rest = names[...]
            while let name = rest.first {
                let alike = rest.prefix { $0 == name }
                counts.sent[name, default: 0] += alike.count
                rest = rest[alike.endIndex...]
            }
        }
    }

    package func recordDropped(_ count: Int, _ reason: AnalyticsDropReason) {
        guard count > 0 else { return }
        counts.withLock { $0.dropped[reason, default: 0] += count }
    }
}

/// Why an event was lost. The raw value is the metric label.
package enum AnalyticsDropReason: String, Sendable, CaseIterable {
    case queueFull = "queue_full"
    case writeFailed = "write_failed"
    case diskFull = "disk_full"
    /// The sink was closed, or its closing deadline passed.
    case closed
    /// The receiver would ignore the form of the event, or the spool's copy was damaged.
    case invalid
    case tooLarge = "too_large"
    case refused
    /// The event waited longer than the receiver accepts, or was retried too often.
    case expired
    /// The backlog was full.
    case backlogFull = "backlog_full"

    init(writing error: any Error) {
        switch error {
        case let error as FileSystemError where error.isOutOfSpace: self = .diskFull
        case is CancellationError: self = .closed
        default: self = .writeFailed
        }
    }
}
