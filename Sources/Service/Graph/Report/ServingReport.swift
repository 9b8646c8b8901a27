internal import FoundationEssentials
internal import Products
internal import Providers

/// What the graph as a whole serves at a moment.
struct ServingReport: Sendable {
    /// In one word.
    enum State: String, Sendable, CaseIterable {
        /// The last answer is fresh.
        case fresh
        /// Its freshness has ended.
        case stale
        /// The upstream fails; what is there is served on.
        case offline
        /// There is an answer, and nothing in the graph keeps answers.
        case unkept
        /// There is nothing to serve.
        case empty
        /// The service is stopping.
        case draining
    }

    let state: State
    /// Why there is nothing to serve.
    let reason: String?
    let answer: AnswerReport?
    /// What became of the calls of the graph's root.
    let counts: NodeCounts?

    init(_ verdict: ReadinessTracker.Verdict, root counts: NodeCounts?, at time: Date) {
        self.counts = counts
        switch verdict {
        case .ready(let last):
            state = Self.state(of: last.freshness, at: time)
            reason = nil
            answer = AnswerReport(last, at: time)
        case .empty(let cause): (state, reason, answer) = (.empty, cause, nil)
        case .draining: (state, reason, answer) = (.draining, nil, nil)
        }
    }

    private static func state(of freshness: Freshness?, at time: Date) -> State {
        guard let freshness else { return .unkept }
        if freshness.isOffline { return .offline }
        return time <= freshness.freshUntil ? .fresh : .stale
    }
}
