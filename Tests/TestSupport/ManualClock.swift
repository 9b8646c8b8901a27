/// A clock under the control of a test: time stands still until the test advances it.
///
/// Sleepers are woken in the order of their deadlines. A sleeper is registered before `sleep` suspends, and
/// `waitForSleepers` returns then, so a test never has to guess whether the code under test has come to rest.
public final class ManualClock: Clock, Sendable {
    /// A point in time, as the time since the clock was made.
    public struct Instant: InstantProtocol {
        /// Since the clock was made.
        public let offset: Duration

        /// Creates an instant.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// The instant `duration` later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// The duration until `other`.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether `left` comes first.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextID = 0
        var sleepers: [Sleeper] = []
        /// Cancelled between the making of their id and their registration.
        var cancelledEarly: Set<Int> = []
    }

    private let state = Observed(State())

    /// Creates a clock that shows zero.
    public init() {}

    /// The current time.
    public var now: Instant { state.value.now }

    /// Every difference counts.
    public var minimumResolution: Duration { .zero }

    /// The number of sleepers.
    public var sleepers: Int { state.value.sleepers.count }

    /// Moves time on and wakes those whose deadline has come. They run afterwards, on their own executors.
    public func advance(by duration: Duration) {
        let due = state.update { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        let inOrder = due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        for sleeper in inOrder { sleeper.continuation.resume() }
    }

    /// Returns as soon as at least `count` are asleep at once, or the task is cancelled.
    public func waitForSleepers(_ count: Int = 1) async {
        await state.wait { $0.sleepers.count >= count }
    }

    /// Suspends until the test has advanced the clock to `deadline`. Throws `CancellationError` when the task is
    /// cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.update { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                register(Sleeper(id: id, deadline: deadline, continuation: $0))
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func register(_ sleeper: Sleeper) {
        let outcome: Result<Void, any Error>? = state.update { state in
            guard state.cancelledEarly.remove(sleeper.id) == nil else { return .failure(CancellationError()) }
            guard sleeper.deadline > state.now else { return .success(()) }
            state.sleepers.append(sleeper)
            return nil
        }
        if let outcome { sleeper.continuation.resume(with: outcome) }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.update { state in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelledEarly.insert(id)
                return nil as Sleeper?
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
