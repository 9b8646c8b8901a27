internal import FoundationEssentials
internal import Locks
internal import Products

/// Which config an edition was made from, for telling replicas and editions apart.
struct ConfigIdentity: Sendable, Hashable {
    /// 1 at the start, one more with each config that was put into force.
    let edition: Int
    /// The SHA-256 of the config file, in hexadecimal digits.
    let hash: String
}

/// Exposes the outcome of the last attempt to load the config, and the config in force. The start counts as a success.
final class ReloadStatus: MetricsCollector {
    private struct State {
        var hash: String
        var isSuccessful = true
        var lastSuccess: Date
    }

    private let wallClock: WallClock
    private let state: Mutex<State>

    /// - Parameter hash: the SHA-256 of the config that the process was started with.
    init(hash: String, wallClock: WallClock) {
        self.wallClock = wallClock
        state = Mutex(State(hash: hash, lastSuccess: wallClock.now()))
    }

    /// Records that the config with this hash is in force.
    func recordSuccess(hash: String) {
        let now = wallClock.now()
        state.withLock { $0 = State(hash: hash, lastSuccess: now) }
    }

    /// Records that a config was refused and the one before stays in force.
    func recordFailure() {
        state.withLock { $0.isSuccessful = false }
    }

    func families() async -> [MetricFamily] {
        let state = state.withLock { $0 }
        return [
            MetricFamily(.configLastReloadSuccessful, [MetricSeries([:], .count(state.isSuccessful ? 1 : 0))]),
            MetricFamily(.configLastReloadSuccess, [MetricSeries([:], .timestamp(state.lastSuccess))]),
            MetricFamily(.config, [MetricSeries(["hash": state.hash], .count(1))]),
        ]
    }
}
