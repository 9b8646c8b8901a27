package import Concurrency
internal import FoundationEssentials
package import Logging
package import Products
internal import struct Synchronization.Atomic

/// Knows whether a catalogue can be served now: the rule behind `/readyz`.
///
/// Ready means that there is a catalogue that may be served, whatever became of the upstream, and that the service is
/// not stopping. Where one provider keeps what all requests are answered from, that one is asked at the moment of the
/// question, so readiness changes when the catalogue becomes too old and not when the upstream comes and goes. In other
/// graphs it is what every request got that tells: it takes failures without any answer between them for a while until
/// the last answer does not count any more, for they may be those of one audience. What the requests on a replaced
/// graph come to says nothing about the graph in force and is passed over. Without any traffic readiness is fed by
/// `KeepWarm`.
package final class ReadinessTracker: Sendable {
    /// The answer that may be served, or the reason why there is none: nothing came yet, or it is too old.
    typealias Catalogue = Result<ProductsAnswer, ReadinessState.Emptiness>

    /// The result for a probe.
    package enum Verdict: Sendable {
        case ready(ProductsAnswer)
        case empty(reason: String)
        case draining

        init(_ catalogue: Catalogue, isDraining: Bool) {
            switch catalogue {
            case _ where isDraining: self = .draining
            case .success(let answer): self = .ready(answer)
            case .failure(let emptiness): self = .empty(reason: emptiness.reason)
            }
        }
    }

    /// A change of state that a failure causes.
    enum News: Sendable {
        case none
        /// Requests begin to fail while others are answered, or were a moment ago.
        case doubt
        /// There is nothing to serve from now on, or there is not for another reason than before.
        case empty
    }

    private let wallClock: WallClock
    private let state: Mutex<ReadinessState>
    /// The edition whose answers at hand tell nothing that is not known, because it has answered already and its graph
    /// tells what it keeps. So no hit of it takes the lock.
    private let settled = Atomic(0)
    /// Whether the last probe failed.
    private let isProbeFailing = Atomic(false)
    private let logger: Logger?

    /// - Parameters:
    ///   - patience: how long nothing but failures may come until the last answer does not count any more.
    ///   - logger: takes what probes come to, when that changes; nil where nobody wants to know.
    package init(wallClock: WallClock, patience: Duration = .seconds(10), logger: Logger? = nil) {
        self.wallClock = wallClock
        self.logger = logger
        state = Mutex(ReadinessState(patience: patience))
    }

    /// Whether a catalogue can be served now.
    package var verdict: Verdict { Verdict(catalogue, isDraining: isDraining) }

    /// The catalogue that may be served, whether the service is stopping or not.
    var catalogue: Catalogue {
        let now = wallClock.now()
        let holding = holding
        return state.withLock { $0.servable(holding, at: now) }
    }

    /// The providers of the graph in force whose refreshes fail; where nothing keeps answers, the graph while it fails.
    var failing: [FailingUpstream] {
        let (front, graph) = state.withLock { ($0.front, $0.failing) }
        return front.keepsAnswers ? front.failing : graph
    }

    /// Whether the service is stopping.
    var isDraining: Bool { state.withLock(\.isDraining) }

    /// The holding of the graph in force. The graph has its own locks, so it is not asked under the lock here.
    private var holding: ServableCatalogue.Holding {
        let (front, last) = state.withLock { ($0.front, $0.last) }
        return front.holding(after: last)
    }

    /// Takes note that a probe is answered by this verdict. The first one that fails is logged, and the first one that
    /// passes after it, whichever probe it is and on whichever port.
    func noteProbe(_ verdict: Verdict) {
        let reason: String? =
            switch verdict {
            case .ready: nil
            case .empty(let reason): reason
            case .draining: "draining"
            }
        guard isProbeFailing.exchange(reason != nil, ordering: .relaxed) != (reason != nil) else { return }
        if let reason {
            logger?.notice("readiness probes fail", metadata: ["reason": "\(reason)"])
        } else {
            logger?.notice("readiness probes pass again")
        }
    }

    /// From now on not ready.
    package func startDraining() {
        state.withLock { $0.isDraining = true }
    }

    /// From now on only the answers of this edition count.
    ///
    /// - Parameters:
    ///   - front: the catalogue that its graph answers from.
    ///   - answer: what its graph answered already; without one, what is known goes on until it is asked.
    package func follow(
        _ edition: Int, front: ServableCatalogue = ServableCatalogue(), answering answer: ProductsAnswer? = nil
    ) {
        let holding = holding
        state.withLock { state in
            state.follow(edition, front: front, after: holding)
            if let answer { state.take(answer, of: edition) }
            settle(state)
        }
    }

    /// Takes note of an answer. A hit tells nothing that the answer before it did not tell, so it does not wait for the
    /// lock.
    func note(_ answer: ProductsAnswer, of edition: Int) {
        guard answer.isHit else { return state.withLock { take(answer, of: edition, &$0) } }
        if settled.load(ordering: .relaxed) == edition { return }
        _ = state.withLockIfAvailable { take(answer, of: edition, &$0) }
    }

    /// Takes note of a failure. A cancelled request says nothing about the catalogue.
    ///
    /// - Returns: whether this is news.
    func noteFailure(_ error: any Error, of edition: Int) -> News {
        if error is CancellationError || error as? ProductsFailure == .cancelled { return .none }
        let now = wallClock.now()
        let reason = Self.reason(of: error)
        let holding = holding
        return state.withLock { state in
            guard state.edition == edition else { return .none }
            defer { settle(state) }
            return state.fail(for: reason, error as? ProductsFailure, holding, at: now)
        }
    }

    private func take(_ answer: ProductsAnswer, of edition: Int, _ state: inout ReadinessState) {
        state.take(answer, of: edition)
        settle(state)
    }

    private func settle(_ state: ReadinessState) {
        settled.store(state.isSettled ? state.edition : 0, ordering: .relaxed)
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case ProductsFailure.unavailable(let reason, _, _): reason
        case let failure as ProductsFailure: failure.token
        default: "error"
        }
    }
}
