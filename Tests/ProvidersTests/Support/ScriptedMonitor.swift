internal import Concurrency
internal import Networking

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

    func recordSuccess() { state.withLock { $0.told.append("success") } }

    func recordFailure() { state.withLock { $0.told.append("failure") } }
}
