internal import FoundationEssentials
internal import Products
internal import Providers

/// What the graph as a whole serves at a moment.
struct ServingReport: Sendable {
    /// In one word.
    enum State: String, Sendable, CaseIterable {
        /// The last answer is fresh.
        case fresh
        /// Its freshness has ended, and nobody has asked since.
        case idle
        /// Its freshness has ended, and the refresh that is due has not come to an end.
        case stale
        /// The upstream fails; what is there is served on.
        case offline
        /// There is an answer, and nothing in the graph keeps answers.
        case unkept
        /// There is nothing to serve.
        case empty
        /// The service is stopping.
        case draining

        /// What it means, for whoever has not read the manual.
        var meaning: String {
            switch self {
            case .fresh: "The catalogue is no older than its ttl."
            case .idle: "Freshness has ended for want of requests. The next one refreshes, unless a refresh runs."
            case .stale: "Freshness has ended, and the refresh that is due has not come to an end."
            case .offline: "Refreshes fail. What was fetched last is served until it is too old."
            case .unkept: "No memory node keeps what was answered last: each such request asks its source anew."
            case .empty: "There is nothing to serve: requests are answered with 503."
            case .draining: "The service is stopping: it finishes what it has begun."
            }
        }
    }

    let state: State
    /// Why there is nothing to serve.
    let reason: String?
    let answer: AnswerReport?
    /// What became of the calls of the graph's root.
    let counts: NodeCounts?
    /// The providers whose refreshes fail.
    let failing: [FailingUpstream]

    init(
        _ verdict: ReadinessTracker.Verdict, root counts: NodeCounts?, failing: [FailingUpstream] = [],
        at time: Date
    ) {
        self.counts = counts
        self.failing = failing
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
        if time <= freshness.freshUntil { return .fresh }
        return freshness.isIdle(at: time) ? .idle : .stale
    }
}
