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
