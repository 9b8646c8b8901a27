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
