/// Where a queued sink's events end up: a file, the log, somebody's HTTP endpoint.
///
/// Called by one task at a time, off the request path, so it may block and need not be quick.
public protocol AnalyticsWriter: Sendable {
    /// Writes a batch whole and in order.
    ///
    /// - Throws: whatever kept the batch from being written; the queue drops the batch, counts it and goes on.
    func write(_ batch: [AnalyticsEvent]) async throws
}
