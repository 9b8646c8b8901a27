internal import FoundationEssentials
internal import Products
internal import Locks

/// Knows whether a catalogue can be served now: the rule behind `/readyz`.
///
/// It learns what every request got. Ready means that the last answer may still be served, whatever became of the
/// upstream, and that the service is not stopping. What the requests on a replaced graph come to says nothing about the
/// graph in force and is passed over. Without any traffic readiness is fed by `KeepWarm`.
final class ReadinessTracker: Sendable {
    /// What a probe is told.
    enum Verdict: Sendable {
        case ready(ProductsAnswer)
        /// Nothing to serve: nothing came yet, or what came is too old.
        case empty(reason: String)
        case draining
    }

    private struct State {
        var last: ProductsAnswer?
        /// The edition whose answer is the last one.
        var answered = 0
        var failure = "no answer yet"
        var isDraining = false
        /// Whose answers count.
        var edition = 1

        mutating func take(_ answer: ProductsAnswer, of edition: Int) {
            guard self.edition == edition else { return }
            last = answer
            answered = edition
        }

        /// Whether the graph in force gave an answer that may still be served: then a failure is that of one audience,
        /// and others are served.
        func canServe(at now: Date) -> Bool {
            guard answered == edition, let end = last?.freshness?.servableUntil else { return false }
            return now <= end
        }
    }

    private let wallClock: WallClock
    private let state = Mutex(State())

    init(wallClock: WallClock) {
        self.wallClock = wallClock
    }

    /// Whether a catalogue can be served now.
    var verdict: Verdict {
        let now = wallClock.now()
        return state.withLock { state in
            if state.isDraining { return .draining }
            guard let last = state.last else { return .empty(reason: state.failure) }
            if let end = last.freshness?.servableUntil, now > end { return .empty(reason: "too-old") }
            return .ready(last)
        }
    }

    /// From now on not ready.
    func startDraining() {
        state.withLock { $0.isDraining = true }
    }

    /// From now on only the answers of this edition count.
    ///
    /// - Parameter answer: what its graph answered already; without one, what is known goes on until it is asked.
    func follow(_ edition: Int, answering answer: ProductsAnswer?) {
        state.withLock { state in
            state.edition = edition
            if let answer { state.take(answer, of: edition) }
        }
    }

    /// Takes note of an answer. A hit tells nothing that the answer before it did not tell, so it does not wait for the
    /// lock.
    func note(_ answer: ProductsAnswer, of edition: Int) {
        if answer.isHit {
            _ = state.withLockIfAvailable { $0.take(answer, of: edition) }
        } else {
            state.withLock { $0.take(answer, of: edition) }
        }
    }

    /// Takes note of a failure. A cancelled request says nothing about the catalogue.
    ///
    /// - Returns: whether this is news: before it something could be served, or nothing for another reason.
    func noteFailure(_ error: any Error, of edition: Int) -> Bool {
        if error is CancellationError || error as? ProductsFailure == .cancelled { return false }
        let now = wallClock.now()
        let reason = Self.reason(of: error)
        return state.withLock { state in
            guard state.edition == edition, !state.canServe(at: now) else { return false }
            let isNews = state.last != nil || state.failure != reason
            state.last = nil
            state.failure = reason
            return isNews
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case ProductsFailure.unavailable(let reason, _, _): reason
        case let failure as ProductsFailure: failure.token
        default: "error"
        }
    }
}
