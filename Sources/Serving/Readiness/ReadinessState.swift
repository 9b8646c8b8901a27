internal import FoundationEssentials
internal import Products
internal import Providers

/// The state of `ReadinessTracker` and its decisions, without clocks and locks: every function takes the time.
package struct ReadinessState: Sendable {
    /// The reason why there is no catalogue to serve.
    package struct Emptiness: Error {
        static let tooOld = "too-old"
        /// There is a catalogue, but its listing is being encoded.
        package static let encoding = "encoding"
        package let reason: String
    }

    /// A series of failures, which is logged once.
    struct Doubt: Sendable {
        /// The time of the first failure since the last answer; nil when an answer came after the last failure.
        var since: Date?
        /// The time of the last failure.
        var last: Date
        var failure: ProductsFailure?
    }

    let timeout: Duration
    /// The last answer, unless its publisher reports it: a kept answer would retain a replaced catalogue.
    private(set) var last: ProductsAnswer?
    /// Whether an answer of the edition counts.
    private(set) var hasAnswer = false
    /// The edition whose answer is the last one.
    var answered = 0
    var failure = "no answer yet"
    var isDraining = false
    /// Whether the listing of the first catalogue is not encoded yet, so that the first request would wait for it.
    var isEncoding = false
    /// The edition whose answers count.
    var edition = 1
    /// The catalogues that this edition serves.
    var front = ServableCatalogue()
    var doubt: Doubt?

    init(timeout: Duration) {
        self.timeout = timeout
    }

    /// Whether an answer from a lease would change nothing.
    var isSettled: Bool { front.isKnown && answered == edition && hasAnswer }

    mutating func record(_ answer: ProductsAnswer, of edition: Int, isLeased: Bool = false) {
        guard self.edition == edition else { return }
        if front.reports(answer) {
            last = nil
        } else if !isLeased || !front.isKnown {
            last = answer.withoutLease
        }
        (hasAnswer, isEncoding) = (true, false)
        answered = edition
        doubt?.since = nil
    }

    /// Counts the answers of this edition from now on.
    ///
    /// - Parameters:
    ///   - front: the catalogues that its graph serves.
    ///   - holding: the catalogue of the graph before it.
    mutating func follow(_ edition: Int, front: ServableCatalogue, after holding: ServableCatalogue.Holding) {
        if case .answer(let answer) = holding { last = answer }
        self.edition = edition
        self.front = front
        doubt = nil
    }

    /// The catalogue that may be served: a published one, or the one of the last answer. A catalogue that is too old
    /// still counts unless its source fails or is late, since the next request waits for a newer one.
    func servable(_ holding: ServableCatalogue.Holding, at now: Date) -> ReadinessTracker.Catalogue {
        if case .answer(let answer) = holding {
            return isEncoding ? .failure(Emptiness(reason: Emptiness.encoding)) : .success(answer)
        }
        guard let last else { return .failure(Emptiness(reason: hasAnswer ? Emptiness.tooOld : failure)) }
        if let freshness = last.freshness, !freshness.isServable(at: now) {
            return .failure(Emptiness(reason: Emptiness.tooOld))
        }
        return .success(last)
    }

    /// Records a failure of the graph in force.
    mutating func fail(
        for reason: String, _ failure: ProductsFailure?, _ holding: ServableCatalogue.Holding, at now: Date
    ) -> ReadinessTracker.Change {
        let isNew = isNewDoubt(at: now)
        // Setting the clock back must not prolong the series.
        let since = doubt?.since.map { min($0, now) } ?? now
        doubt = Doubt(since: since, last: now, failure: failure)
        if isServable(holding, failingSince: since, at: now) { return isNew ? .doubt : .none }
        let isChange = hasAnswer || self.failure != reason
        (last, hasAnswer) = (nil, false)
        self.failure = reason
        return isChange ? .empty : .none
    }

    /// The graph as a whole while requests fail; only for graphs in which no provider keeps answers.
    var failing: [FailingUpstream] {
        guard let since = doubt?.since, let failure = doubt?.failure else { return [] }
        let trouble = UpstreamTrouble(failure: failure, since: since, nextTry: .onRequest)
        return [FailingUpstream(provider: "the graph", trouble: trouble)]
    }

    /// Whether the last failure was long ago. Failures between answers are one series.
    private func isNewDoubt(at now: Date) -> Bool {
        guard let doubt else { return true }
        return now.timeIntervalSince(doubt.last) > timeout / .seconds(1)
    }

    /// Whether other requests are served, so that the failure may concern one audience.
    private func isServable(_ holding: ServableCatalogue.Holding, failingSince since: Date, at now: Date) -> Bool {
        if case .answer = holding { return true }
        return last != nil && answered == edition && now.timeIntervalSince(since) < timeout / .seconds(1)
    }
}
