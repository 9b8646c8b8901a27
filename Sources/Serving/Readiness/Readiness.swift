package import Concurrency
internal import FoundationEssentials
package import Logging
package import Products
internal import struct Synchronization.Atomic

/// Tracks whether a catalogue can be served: the rule behind `/readyz`.
///
/// Ready means that a catalogue may be served, whether the upstream is up or down, and that the service is not
/// stopping. Where a `memory` publishes what clients get, probes ask it, so readiness changes when the catalogue becomes
/// too old, not when the upstream goes away. In other graphs the outcomes of requests decide: the last answer counts
/// until requests have only failed for a while, since some failures may concern one audience. Requests on a replaced
/// graph do not count. Without traffic a job of the edition asks the graph.
package final class ReadinessTracker: Sendable {
    /// The answer that may be served, or the reason why there is none: no answer yet, or one that is too old.
    package typealias Catalogue = Result<ProductsAnswer, ReadinessState.Emptiness>

    /// The outcome of a probe.
    package enum Verdict: Sendable {
        case ready(ProductsAnswer)
        case empty(reason: String)
        case draining

        package init(_ catalogue: Catalogue, isDraining: Bool) {
            switch catalogue {
            case _ where isDraining: self = .draining
            case .success(let answer): self = .ready(answer)
            case .failure(let emptiness): self = .empty(reason: emptiness.reason)
            }
        }
    }

    /// A change that a failure makes.
    enum Change: Sendable {
        case none
        /// Requests begin to fail, but a catalogue can be served, or could a moment ago.
        case doubt
        /// Nothing can be served any more, or for a new reason.
        case empty
    }

    private let wallClock: WallClock
    private let state: Mutex<ReadinessState>
    /// The edition whose hits do not take the lock: it has answered already, and its graph reports its catalogue.
    private let settled = Atomic(0)
    /// Whether the last probe failed.
    private let isProbeFailing = Atomic(false)
    private let logger: Logger?

    /// - Parameters:
    ///   - timeout: the time of failures alone after which the last answer no longer counts.
    ///   - logger: logs changes of the outcome of probes.
    package init(wallClock: WallClock, timeout: Duration = .seconds(10), logger: Logger? = nil) {
        self.wallClock = wallClock
        self.logger = logger
        state = Mutex(ReadinessState(timeout: timeout))
    }

    /// Whether a catalogue can be served now.
    package var verdict: Verdict { Verdict(catalogue, isDraining: isDraining) }

    /// The catalogue that can be served, whether the service is stopping or not.
    package var catalogue: Catalogue {
        let now = wallClock.now()
        let holding = holding
        return state.withLock { $0.servable(holding, at: now) }
    }

    /// The providers of the graph in force whose refreshes fail; if none keeps answers, the graph itself while it
    /// fails.
    package var failing: [FailingUpstream] {
        let (front, graph) = state.withLock { ($0.front, $0.failing) }
        return front.keepsAnswers ? front.failing : graph
    }

    /// Whether the service is stopping.
    package var isDraining: Bool { state.withLock(\.isDraining) }

    /// The catalogue of the graph in force. The graph has locks of its own, so it is asked outside this lock.
    private var holding: ServableCatalogue.Holding {
        state.withLock(\.front).holding
    }

    /// Records the outcome of a probe. The first failure is logged, and the first success after it, on either port.
    package func recordProbe(_ verdict: Verdict) {
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

    /// Has probes fail until the first answer is recorded, for which ``ReadinessReportingProvider/keepReady`` prepares.
    package func awaitListing() {
        state.withLock { $0.isEncoding = true }
    }

    /// Makes all probes fail, because the service is stopping.
    package func startDraining() {
        state.withLock { $0.isDraining = true }
    }

    /// Counts the answers of this edition from now on.
    ///
    /// - Parameters:
    ///   - front: the catalogues of its graph.
    ///   - answer: its first answer; without one the state stays until the graph is asked.
    package func follow(
        _ edition: Int, front: ServableCatalogue = ServableCatalogue(), answering answer: ProductsAnswer? = nil
    ) {
        let holding = holding
        state.withLock { state in
            state.follow(edition, front: front, after: holding)
            if let answer { state.record(answer, of: edition) }
            settle(state)
        }
    }

    /// Records an answer. A hit does not wait for the lock.
    ///
    /// - Parameter isLeased: whether it is from a lease.
    func record(_ answer: ProductsAnswer, of edition: Int, isLeased: Bool = false) {
        guard isLeased || answer.isHit else { return state.withLock { record(answer, of: edition, isLeased, &$0) } }
        if settled.load(ordering: .relaxed) == edition { return }
        _ = state.withLockIfAvailable { record(answer, of: edition, isLeased, &$0) }
    }

    /// Records a failure. Cancelled requests are ignored, since the catalogue is not their cause.
    func recordFailure(_ error: any Error, of edition: Int) -> Change {
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

    private func record(_ answer: ProductsAnswer, of edition: Int, _ isLeased: Bool, _ state: inout ReadinessState) {
        state.record(answer, of: edition, isLeased: isLeased)
        settle(state)
    }

    private func settle(_ state: ReadinessState) {
        settled.store(state.isSettled ? state.edition : 0, ordering: .relaxed)
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let failure as ProductsFailure: failure.causeToken
        default: "error"
        }
    }
}

/// Passes requests to the graph of one edition and reports their outcomes to the readiness tracker.
///
/// Logs when requests begin to fail and when nothing can be served, unless a `memory` failed, which logs more details.
package struct ReadinessReportingProvider: ProductsProvider {
    private let upstream: any ProductsProvider
    private let readiness: ReadinessTracker
    private let edition: Int
    private let logger: Logger

    /// - Parameter edition: the number of the edition.
    package init(upstream: any ProductsProvider, readiness: ReadinessTracker, edition: Int, logger: Logger) {
        self.upstream = upstream
        self.readiness = readiness
        self.edition = edition
        self.logger = logger
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await products(for: request) { _ in }
    }

    /// - Parameter prepare: called before the answer counts.
    private func products(
        for request: ProductsRequest, preparing prepare: (ProductsAnswer) async -> Void
    ) async throws -> ProductsAnswer {
        do {
            let answer = try await upstream.products(for: request)
            await prepare(answer)
            readiness.record(answer, of: edition)
            return answer.passingLease(use: { readiness.record($1, of: edition, isLeased: true) }).handingLease()
        } catch {
            report(error)
            throw error
        }
    }

    private func report(_ error: any Error) {
        let change = readiness.recordFailure(error, of: edition)
        if case ProductsFailure.unavailable = error { return }
        switch change {
        case .none: break
        case .doubt:
            logger.warning("some requests fail, others are answered", metadata: ["error": "\(error)"])
        case .empty: logger.warning("the graph fails, nothing to serve", metadata: ["error": "\(error)"])
        }
    }
}

extension ReadinessReportingProvider {
    /// Opted out of analytics, since it has no caller. A refresh that it causes below `memory` is counted.
    private static let request = ProductsRequest(analyticsOptOut: true)

    /// Asks the graph while nothing can be served, so that the service becomes ready without a request, and recovers
    /// when its catalogue has become too old. Runs until the task is cancelled, and does not wait for a last answer.
    ///
    /// - Parameters:
    ///   - interval: the pause between checks of readiness; the graph limits the requests to its upstream.
    ///   - prepare: prepares what clients get of an answer, so that the first of them does not wait.
    package func keepReady(
        clock: any Clock<Duration> = ContinuousClock(), interval: Duration = .seconds(1),
        preparing prepare: @escaping @Sendable (ProductsAnswer) async -> Void = { _ in }
    ) async throws {
        while !Task.isCancelled {
            if case .empty = readiness.verdict {
                _ = await firstOutcome { try? await products(for: Self.request, preparing: prepare) }
            }
            try await clock.sleep(for: interval)
        }
    }
}
