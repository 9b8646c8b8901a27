internal import Configuration
internal import FoundationEssentials
internal import Products
package import Providers
internal import Wiring

/// The catalogues that a graph answers from, as reported by the providers that have published them.
///
/// A publisher is known from the lease of an answer. It does not count where a provider above it may refuse its next
/// catalogue: such a graph has to be asked.
package struct ServableCatalogue: Sendable {
    /// The known state of the catalogue.
    enum Holding: Sendable {
        case answer(ProductsAnswer)
        /// The publishers have nothing that may be served.
        case nothing
        /// Only asking the graph would tell.
        case unknown
    }

    private struct Publisher: Sendable {
        weak let provider: (any CataloguePublisher)?
    }

    private var publishers: [Publisher] = []
    /// Every provider of the graph that keeps answers, by its label in metrics.
    private let keepers: [(label: String, keeper: any StateReporting)]

    /// - Parameter observation: knows the graph's providers; without it none is known.
    package init(_ observation: GraphObservation? = nil) {
        let found = (observation?.reporters ?? []).filter { $0.reporter.report.memory != nil }
        keepers = found.map { (ProviderFamily.metricLabel($0.id), $0.reporter) }
        keepsAnswers = found.contains { $0.reporter.report.memory?.isServed ?? false }
    }

    /// Whether the graph reports its catalogue without being asked.
    var isKnown: Bool { publishers.contains { $0.provider != nil } }

    /// Learns from an answer who has published its catalogue.
    ///
    /// - Returns: whether that is known.
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

    /// The catalogue of the graph; of several the one that was confirmed last.
    var holding: Holding {
        let known = publishers.compactMap(\.provider)
        if known.isEmpty { return .unknown }
        return known.compactMap(\.servable).max { $0.snapshot.fetchedAt < $1.snapshot.fetchedAt }
            .map(Holding.answer) ?? .nothing
    }

    /// Whether a provider of the graph keeps answers.
    let keepsAnswers: Bool

    /// The keepers whose refreshes fail; of several variants the one that has failed for longest.
    var failing: [FailingUpstream] {
        keepers.compactMap { label, keeper in
            keeper.report.memory?.troubles.min { $0.since < $1.since }
                .map { FailingUpstream(provider: label, trouble: $0) }
        }
    }
}
