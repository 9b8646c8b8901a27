internal import Analytics
internal import Concurrency
internal import Networking

/// A sink that keeps what it is given.
final class RecordingSink: AnalyticsSink {
    private let kept = Mutex<[AnalyticsEvent]>([])

    var events: [AnalyticsEvent] { kept.withLock { $0 } }

    func log(_ event: AnalyticsEvent) {
        kept.withLock { $0.append(event) }
    }
}

/// A monitor whose verdict a test sets, and which keeps what it is told.
final class ScriptedMonitor: ReachabilityMonitor {
    private let state: Mutex<(isReachable: Bool, told: [String])>

    init(isReachable: Bool = true) {
        state = Mutex((isReachable, []))
    }

    var isReachable: Bool {
        get { state.withLock(\.isReachable) }
        set { state.withLock { $0.isReachable = newValue } }
    }

    /// `success` and `failure`, in order.
    var told: [String] { state.withLock(\.told) }

    var problem: String? { nil }

    func recordSuccess() { state.withLock { $0.told.append("success") } }

    func recordFailure() { state.withLock { $0.told.append("failure") } }
}
