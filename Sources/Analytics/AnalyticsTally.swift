internal import Locks

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
