internal import Analytics
internal import Concurrency
internal import Networking
internal import ProvidersTestSupport

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
    private let state: Mutex<(isReachable: Bool, told: [String], problem: String?)>

    init(isReachable: Bool = true) {
        state = Mutex((isReachable, [], nil))
    }

    var isReachable: Bool {
        get { state.withLock(\.isReachable) }
        set { state.withLock { $0.isReachable = newValue } }
    }

    /// `success` and `failure`, in order.
    var told: [String] { state.withLock(\.told) }

    /// The last failure that was recorded.
    var problem: String? { state.withLock(\.problem) }

    func recordSuccess() { state.withLock { $0.told.append("success") } }

    func recordFailure(_ cause: String) { state.withLock { ($0.told, $0.problem) = ($0.told + ["failure"], cause) } }
}
