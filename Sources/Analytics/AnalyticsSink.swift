/// A place where events go.
///
/// `log` returns at once and cannot fail, because counting must never slow down or break what is counted: a sink that
/// cannot keep up drops events and counts what it dropped. Safe from any thread.
public protocol AnalyticsSink: Sendable {
    /// Takes an event, or drops it.
    func log(_ event: AnalyticsEvent)
}
