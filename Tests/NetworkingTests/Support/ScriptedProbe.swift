internal import Concurrency

@testable internal import Networking

/// A probe whose results a test sets.
final class ScriptedProbe: ReachabilityProbe {
    private let state = Mutex((result: true, count: 0))

    var result: Bool {
        get { state.withLock(\.result) }
        set { state.withLock { $0.result = newValue } }
    }

    var count: Int { state.withLock(\.count) }

    func succeeds() async -> Bool {
        state.withLock { state in
            state.count += 1
            return state.result
        }
    }
}
