internal import FoundationEssentials
internal import Products
internal import Providers

/// The state and the decisions of `ReadinessTracker`, without clocks and locks: every function is given the time.
struct ReadinessState: Sendable {
    /// Why there is nothing to serve.
    struct Emptiness: Error {
        static let tooOld = "too-old"
        let reason: String
    }

    /// Requests fail, and that has been told.
    struct Doubt: Sendable {
        /// The first failure since the last answer; nil when that is no failure.
        var since: Date?
        /// When the last failure was.
        var last: Date
        /// The last failure.
        var failure: ProductsFailure?
    }

    let patience: Duration
    /// The last answer, where the graph does not tell by itself what it answers from. Where it does, nothing of it is
    /// kept, since its catalogue would outlast its replacement.
    private(set) var last: ProductsAnswer?
    /// Whether anything was answered that counts.
    private(set) var hasAnswer = false
    /// The edition whose answer is the last one.
    var answered = 0
    var failure = "no answer yet"
    var isDraining = false
    /// Whose answers count.
    var edition = 1
    /// The catalogue that this edition answers from.
    var front = ServableCatalogue()
    var doubt: Doubt?

    init(patience: Duration) {
        self.patience = patience
    }

    /// Whether an answer at hand would tell nothing that is not known.
    var isSettled: Bool { front.isKnown && answered == edition && hasAnswer }

    mutating func take(_ answer: ProductsAnswer, of edition: Int) {
        guard self.edition == edition else { return }
        last = front.isKnown ? nil : answer
        hasAnswer = true
        answered = edition
        doubt?.since = nil
    }

    /// From now on only the answers of this edition count.
    ///
    /// - Parameters:
    ///   - front: the catalogue that its graph answers from.
    ///   - holding: what the graph before it had.
    mutating func follow(_ edition: Int, front: ServableCatalogue, after holding: ServableCatalogue.Holding) {
        if case .answer(let answer) = holding { last = answer }
        if front.isKnown { last = nil }
        self.edition = edition
        self.front = front
        doubt = nil
    }

    /// The servable answer that the graph holds, or else its last one. An answer that is too old counts as none only if
    /// its source fails or is late: otherwise the next request waits for a newer one.
    func servable(_ holding: ServableCatalogue.Holding, at now: Date) -> ReadinessTracker.Catalogue {
        switch holding {
        case .answer(let answer): return .success(answer)
        case .nothing: return .failure(Emptiness(reason: hasAnswer ? Emptiness.tooOld : failure))
        case .unknown: break
        }
        guard let last else { return .failure(Emptiness(reason: failure)) }
        if let freshness = last.freshness, freshness.isOffline || freshness.isLate, now > freshness.servableUntil {
            return .failure(Emptiness(reason: Emptiness.tooOld))
        }
        return .success(last)
    }

    /// Takes note of a failure of the graph in force.
    mutating func fail(
        for reason: String, _ failure: ProductsFailure?, _ holding: ServableCatalogue.Holding, at now: Date
    ) -> ReadinessTracker.News {
        let isNew = isNewDoubt(at: now)
        // A clock that was set back must not prolong anything.
        let since = doubt?.since.map { min($0, now) } ?? now
        doubt = Doubt(since: since, last: now, failure: failure)
        if isServable(holding, failingSince: since, at: now) { return isNew ? .doubt : .none }
        let isNews = hasAnswer || self.failure != reason
        (last, hasAnswer) = (nil, false)
        self.failure = reason
        return isNews ? .empty : .none
    }

    /// The graph as a whole where requests fail on it; where something in it keeps answers, that knows more.
    var failing: [FailingUpstream] {
        guard let since = doubt?.since, let failure = doubt?.failure else { return [] }
        let trouble = UpstreamTrouble(failure: failure, since: since, nextTry: .onRequest)
        return [FailingUpstream(provider: "the graph", trouble: trouble)]
    }

    /// Whether requests fail that did not for a while. Failures between answers are one doubt, not many.
    private func isNewDoubt(at now: Date) -> Bool {
        guard let doubt else { return true }
        return now.timeIntervalSince(doubt.last) > patience / .seconds(1)
    }

    /// Whether the failure is that of one audience, for all that is known, and others are served.
    private func isServable(_ holding: ServableCatalogue.Holding, failingSince since: Date, at now: Date) -> Bool {
        switch holding {
        case .answer: true
        case .nothing: false
        case .unknown: last != nil && answered == edition && now.timeIntervalSince(since) < patience / .seconds(1)
        }
    }
}
