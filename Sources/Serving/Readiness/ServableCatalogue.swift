package import Configuration
internal import Products
package import Providers
internal import Wiring

/// The catalogues that a graph serves, as reported by the providers that publish them.
///
/// The graph's assembly determines the publishers: no provider above one may refuse its catalogues. A graph without a
/// publisher has to be asked.
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
    private let keepers: [(label: String, component: any StateReporting)]
    /// Whether a provider of the graph keeps answers.
    let keepsAnswers: Bool

    init(_ publishers: [any CataloguePublisher] = []) {
        (self.publishers, keepers, keepsAnswers) = (publishers, [], false)
    }

    /// - Parameters:
    ///   - assembly: the assembly in which the graph with this root was made.
    ///   - states: the providers that report their state, by their labels in metrics.
    package init(
        _ assembly: Assembly, root: ComponentOutline, states: [(label: String, component: any StateReporting)]
    ) {
        let ids = Set(root.publishers.map(\.id))
        publishers = assembly.components(of: ProviderFamily.self).compactMap { outline, instance in
            ids.contains(outline.id) ? instance.unobserved as? any CataloguePublisher : nil
        }
        keepers = states.filter { $0.component.report.memory != nil }
        keepsAnswers = keepers.contains { $0.component.report.memory?.isServed ?? false }
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
