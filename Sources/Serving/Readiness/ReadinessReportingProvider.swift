internal import Concurrency
package import Configuration
internal import FoundationEssentials
package import Logging
package import Products
internal import Providers
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
    /// - Parameter interval: the pause between checks of readiness; the graph limits the requests to its upstream.
    package func keepReady(
        clock: any Clock<Duration> = ContinuousClock(), interval: Duration = .seconds(1)
    ) async throws {
        while !Task.isCancelled {
            if case .empty = readiness.verdict {
                _ = await firstOutcome { try? await products(for: Self.request) }
            }
            try await clock.sleep(for: interval)
        }
    }
}

/// The catalogues that a graph serves, as reported by the providers that publish them.
///
/// The graph's assembly says which these are: no provider above them may refuse a catalogue of theirs. A graph without
/// one has to be asked.
package struct ServableCatalogue: Sendable {
    /// The known state of the catalogue.
    enum Holding: Sendable {
        case answer(ProductsAnswer)
        /// The publishers have no catalogue that may be served.
        case nothing
        /// Unknown until the graph is asked.
        case unknown
    }

    private let publishers: [any CataloguePublisher]
    /// Every provider of the graph that keeps answers, by its label in metrics.
    private let keepers: [(label: String, keeper: any StateReporting)]
    /// Whether a provider of the graph keeps answers.
    let keepsAnswers: Bool

    init(_ publishers: [any CataloguePublisher] = []) {
        (self.publishers, keepers, keepsAnswers) = (publishers, [], false)
    }

    /// - Parameter assembly: the assembly in which the graph with this root was made.
    package init(_ assembly: Assembly, root: ComponentOutline) {
        let ids = Set(root.publishers.map(\.id))
        let providers = assembly.components(of: ProviderFamily.self).sorted { $0.outline.id < $1.outline.id }
        publishers = providers.compactMap { outline, instance in
            ids.contains(outline.id) ? instance.unobserved as? any CataloguePublisher : nil
        }
        keepers = providers.compactMap { outline, instance in
            (instance.unobserved as? any StateReporting).flatMap { keeper in
                keeper.report.memory == nil ? nil : (outline.metricLabel, keeper)
            }
        }
        keepsAnswers = keepers.contains { $0.keeper.report.memory?.isServed ?? false }
    }

    /// Whether the graph reports its catalogue without being asked.
    var isKnown: Bool { !publishers.isEmpty }

    /// Whether an answer is a publisher's, which reports it.
    func reports(_ answer: ProductsAnswer) -> Bool {
        guard isKnown, let lease = answer.lease else { return false }
        return lease.isOfAnyCatalogue && !lease.publication.isJoined
    }

    /// The catalogue of the graph; of several the most recently confirmed one.
    var holding: Holding {
        if publishers.isEmpty { return .unknown }
        return publishers.compactMap(\.servable).max { $0.snapshot.fetchedAt < $1.snapshot.fetchedAt }
            .map(Holding.answer) ?? .nothing
    }

    /// The keepers whose refreshes fail; of several variants the one failing for longest.
    var failing: [FailingUpstream] {
        keepers.compactMap { label, keeper in
            keeper.report.memory?.troubles.min { $0.since < $1.since }
                .map { FailingUpstream(provider: label, trouble: $0) }
        }
    }
}
