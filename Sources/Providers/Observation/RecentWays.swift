internal import Locks

/// The ways that the last answer and the last refresh took through the graph.
///
/// Nobody waits for them: a way that ends at the very moment at which another one is kept, or shown, is forgotten.
final class RecentWays: Sendable {
    private struct State {
        var answer: VisitRecorder?
        var refresh: VisitRecorder?
    }

    private let sampler: WaySampler
    private let state = Mutex(State())

    init(sampler: WaySampler = WaySampler()) {
        self.sampler = sampler
    }

    /// The visits of the last request from outside that was followed to its end.
    var answer: [Visit] { state.withLock(\.answer)?.visits ?? [] }

    /// The same of the last question for which nobody had an answer at hand.
    var refresh: [Visit] { state.withLock(\.refresh)?.visits ?? [] }

    /// A recorder for a request from outside; nil for most of them when there are many.
    func beginAnswer() -> VisitRecorder? {
        sampler.chooses() ? VisitRecorder() : nil
    }

    /// Whether a request that comes from outside now is given a recorder.
    var wouldBeginAnswer: Bool { sampler.wouldChoose }

    /// A recorder for what a provider asks on its own account.
    func beginRefresh() -> VisitRecorder {
        VisitRecorder()
    }

    /// Keeps a way that has ended, as one of the two or as both.
    ///
    /// - Parameters:
    ///   - isAnswer: whether it began at the root, and not where a provider asks on its own account.
    ///   - isRefresh: whether it went to where products come from.
    func finish(_ recorder: VisitRecorder, isAnswer: Bool, isRefresh: Bool) {
        _ = state.withLockIfAvailable { state in
            if isAnswer { state.answer = recorder }
            if isRefresh { state.refresh = recorder }
        }
    }
}
