internal import Concurrency

/// Keeps a bounded number of events in memory, where there is no other place.
final class MemoryEventBacklog: EventBacklog {
    private struct State: Sendable {
        var waiting: [GoogleAnalyticsEvent] = []
        /// Those that were first too often and could not be delivered.
        var suspects: [GoogleAnalyticsEvent] = []
        /// How many bytes those have that wait.
        var size = 0
        /// How often in a row those that are first could not be delivered.
        var failures = 0
        var isClosed = false

        var count: Int { waiting.count + suspects.count }

        /// - Returns: how many there were.
        mutating func removeExpired(_ cutoff: Int64) -> Int {
            let before = count
            waiting.removeAll { $0.timestamp < cutoff }
            suspects.removeAll { $0.timestamp < cutoff }
            return before - count
        }

        mutating func takePortion(_ limit: Int) -> BacklogPortion {
            let isSuspect = waiting.isEmpty
            let first = Array((isSuspect ? suspects : waiting).prefix(limit))
            if isSuspect { suspects.removeFirst(first.count) } else { waiting.removeFirst(first.count) }
            size = [waiting, suspects].joined().reduce(0) { $0 + $1.size }
            return BacklogPortion(events: first, isSuspect: isSuspect)
        }

        /// Where it was, unless that has been tried often enough.
        mutating func putBack(_ rest: [GoogleAnalyticsEvent], of portion: BacklogPortion) {
            size += rest.reduce(0) { $0 + $1.size }
            guard !portion.isSuspect else { return suspects += rest }
            failures = rest.isEmpty ? 0 : failures + 1
            guard failures >= RepeatedFailures.patience else { return waiting = rest + waiting }
            failures = 0
            suspects += rest
        }
    }

    private let capacity: Int
    private let limit: Int
    private let portion: Int
    private let tally: AnalyticsTally
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: how many events may wait.
    ///   - limit: how many bytes they may have.
    ///   - portion: how many are handed out at a time.
    init(capacity: Int = 10_000, limit: Int = 8 << 20, portion: Int = 250, tally: AnalyticsTally) {
        self.capacity = capacity
        self.limit = limit
        self.portion = portion
        self.tally = tally
    }

    var size: Int { state.withLock(\.size) }

    func add(_ events: [GoogleAnalyticsEvent]) async -> Bool {
        let (lost, isClosed) = state.withLock { state in
            var left = events[...]
            while !state.isClosed, let event = left.first, state.count < capacity, state.size + event.size <= limit {
                state.waiting.append(event)
                state.size += event.size
                left.removeFirst()
            }
            return (left.count, state.isClosed)
        }
        tally.noteDropped(lost, isClosed ? .closed : .backlogFull)
        return lost == 0 || isClosed
    }

    func withOldest(
        since cutoff: Int64, deliver: @Sendable (BacklogPortion) async -> [GoogleAnalyticsEvent]
    ) async throws -> BacklogLook {
        let (oldest, expired) = state.withLock { state in
            let expired = state.removeExpired(cutoff)
            return (state.takePortion(portion), expired)
        }
        tally.noteDropped(expired, .expired)
        guard !oldest.events.isEmpty else { return .nothing }
        let rest = await deliver(oldest)
        putBack(rest, of: oldest)
        return rest.isEmpty ? .delivered : .kept(isSuspect: oldest.isSuspect)
    }

    func close() async {
        let lost = state.withLock { state in
            defer {
                state = State()
                state.isClosed = true
            }
            return state.count
        }
        tally.noteDropped(lost, .closed)
    }

    /// Those who were still at it when the backlog was closed come too late.
    private func putBack(_ rest: [GoogleAnalyticsEvent], of portion: BacklogPortion) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.putBack(rest, of: portion) }
            return state.isClosed
        }
        if isClosed { tally.noteDropped(rest.count, .closed) }
    }
}
