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
