internal import Configuration
internal import FoundationEssentials
package import Logging
package import Products
package import Providers
internal import Wiring

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
        do {
            let answer = try await upstream.products(for: request)
            readiness.record(answer, of: edition)
            return answer.passingLease(use: { readiness.recordLeased($1, of: edition) }).handingLease()
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

/// Asks the graph while nothing can be served, so that the service becomes ready without a request, and recovers when
/// its catalogue has become too old.
package struct KeepWarm: Sendable {
    /// Opted out of analytics, since it has no caller. A refresh that it causes below `memory` is counted.
    private static let request = ProductsRequest(analyticsOptOut: true)
    private let provider: any ProductsProvider
    private let readiness: ReadinessTracker
    private let clock: any Clock<Duration>
    private let interval: Duration

    /// - Parameters:
    ///   - provider: the graph, which reports its outcomes to `readiness`.
    ///   - interval: the pause between checks of readiness; the graph limits the requests to its upstream.
    package init(
        provider: some ProductsProvider, readiness: ReadinessTracker, clock: any Clock<Duration> = ContinuousClock(),
        interval: Duration = .seconds(1)
    ) {
        self.provider = provider
        self.readiness = readiness
        self.clock = clock
        self.interval = interval
    }

    /// Runs until the task is cancelled.
    package func run() async throws {
        while !Task.isCancelled {
            if case .empty = readiness.verdict { _ = try? await provider.products(for: Self.request) }
            try await clock.sleep(for: interval)
        }
    }
}

/// The catalogues that a graph serves, as reported by the providers that publish them.
///
/// A publisher is found by the lease of an answer. It does not count if a provider above may refuse its next catalogue;
/// such a graph has to be asked.
package struct ServableCatalogue: Sendable {
    /// The known state of the catalogue.
    enum Holding: Sendable {
        case answer(ProductsAnswer)
        /// The publishers have no catalogue that may be served.
        case nothing
        /// Unknown until the graph is asked.
        case unknown
    }

    private struct Publisher: Sendable {
        weak let provider: (any CataloguePublisher)?
    }

    private var publishers: [Publisher] = []
    /// Every provider of the graph that keeps answers, by its label in metrics.
    private let keepers: [(label: String, keeper: any StateReporting)]

    /// - Parameters:
    ///   - observation: the graph's observation; without one no provider is known.
    ///   - labels: the names of providers in metrics, by their ids.
    package init(_ observation: GraphObservation? = nil, labels: [String: String] = [:]) {
        let found = (observation?.reporters ?? []).filter { $0.reporter.report.memory != nil }
        keepers = found.map { (labels[$0.id] ?? $0.id, $0.reporter) }
        keepsAnswers = found.contains { $0.reporter.report.memory?.isServed ?? false }
    }

    /// Whether the graph reports its catalogue without being asked.
    var isKnown: Bool { publishers.contains { $0.provider != nil } }

    /// Records the publisher of an answer's catalogue.
    ///
    /// - Returns: whether the publisher is known.
    mutating func learn(from answer: ProductsAnswer) -> Bool {
        guard let lease = answer.lease, lease.isOfAnyCatalogue, let provider = lease.publication.publisher else {
            return false
        }
        publishers.removeAll { $0.provider == nil }
        if !publishers.contains(where: { $0.provider === provider }) {
            publishers.append(Publisher(provider: provider))
        }
        return true
    }

    /// The catalogue of the graph; of several the most recently confirmed one.
    var holding: Holding {
        let known = publishers.compactMap(\.provider)
        if known.isEmpty { return .unknown }
        return known.compactMap(\.servable).max { $0.snapshot.fetchedAt < $1.snapshot.fetchedAt }
            .map(Holding.answer) ?? .nothing
    }

    /// Whether a provider of the graph keeps answers.
    let keepsAnswers: Bool

    /// The keepers whose refreshes fail; of several variants the one failing for longest.
    var failing: [FailingUpstream] {
        keepers.compactMap { label, keeper in
            keeper.report.memory?.troubles.min { $0.since < $1.since }
                .map { FailingUpstream(provider: label, trouble: $0) }
        }
    }
}
