internal import Analytics
internal import Concurrency

/// A sink that keeps what it is given.
final class RecordingSink: AnalyticsSink {
    private let kept = Mutex<[AnalyticsEvent]>([])

    var events: [AnalyticsEvent] { kept.withLock { $0 } }

    func log(_ event: AnalyticsEvent) {
        kept.withLock { $0.append(event) }
    }
}
