internal import Locks

/// Remembers who has been exposed to which revision of an experiment, so that it is told once.
///
/// It holds a bounded number: beyond that the oldest half is forgotten, and who is forgotten counts as new. Subjects
/// are spread over shards, so that requests at the same time seldom meet at the same lock.
final class ExposureLog: Sendable {
    /// That a subject is shown what an experiment, in this revision, has for them.
    struct Exposure: Sendable, Hashable {
        let revision: UInt32
        let subject: ExperimentSubject
    }

    private final class Shard: Sendable {
        private struct State {
            var recent: Set<Exposure> = []
            var older: Set<Exposure> = []
        }

        private let half: Int
        private let state = Mutex(State())

        init(capacity: Int) {
            half = max(1, capacity / 2)
        }

        func isFirst(_ exposure: Exposure) -> Bool {
            state.withLock { state in
                if state.recent.contains(exposure) { return false }
                if state.recent.count >= half {
                    state.older = state.recent
                    state.recent = []
                }
                state.recent.insert(exposure)
                return !state.older.contains(exposure)
            }
        }
    }

    private let shards: [Shard]

    /// - Parameters:
    ///   - capacity: how many are remembered at most; half as many are at least, as evenly as chance spreads them.
    ///   - shards: among how many locks requests are spread.
    init(capacity: Int = 100_000, shards: Int = 16) {
        self.shards = (0..<shards).map { _ in Shard(capacity: capacity / shards) }
    }

    /// Whether this is the first of its kind, as far as is remembered.
    func isFirst(_ exposure: Exposure) -> Bool {
        shards[Int(exposure.subject.low % UInt64(shards.count))].isFirst(exposure)
    }
}
