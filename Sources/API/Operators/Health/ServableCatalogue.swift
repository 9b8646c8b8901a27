package import Configuration
internal import FoundationEssentials
internal import Products
package import Providers
internal import Wiring

/// The catalogue that a graph answers from, as reported by the provider that keeps it.
///
/// The keeper is the one nearest to the root, with only decorators before it. A graph that picks one of several keepers by
/// the request has none in front; the trail of its last answer names the one that answered. A keeper does not count where
/// a provider before it may refuse its catalogue: such a graph has to be asked.
package struct ServableCatalogue: Sendable {
    /// The known state of the catalogue.
    enum Holding: Sendable {
        case answer(ProductsAnswer)
        /// The keeper of all requests has nothing that may be served.
        case nothing
        /// Only asking the graph would tell.
        case unknown
    }

    private let front: (any StateReporting)?
    private let keepers: [String: any StateReporting]
    /// Every keeper of the graph, by its label in metrics.
    private let all: [(label: String, keeper: any StateReporting)]

    /// - Parameter observation: knows the graph's providers; without it none is known.
    package init(_ outline: ComponentOutline, _ observation: GraphObservation?) {
        let found = (observation?.reporters ?? []).filter { $0.reporter.report.memory != nil }
        all = found.map { (ProviderFamily.metricLabel($0.id), $0.reporter) }
        let byID = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.reporter) })
        func keeper(_ outline: ComponentOutline) -> (any StateReporting)? { byID[outline.id] }
        let way = Self.way(from: outline)
        let reached = way.prefix { keeper($0) == nil && $0.passesAnswers }.count
        front = reached < way.count ? keeper(way[reached]) : nil
        let refusing = outline.all.filter {
            $0.family == ProviderFamily.noun && keeper($0) == nil && !$0.passesAnswers
        }
        let hidden = Set(refusing.flatMap(\.children).flatMap(\.outline.all).map(\.id))
        let named = outline.all.filter { !hidden.contains($0.id) }
            .compactMap { outline in keeper(outline).map { (outline.name, $0) } }
        keepers = Dictionary(grouping: named, by: \.0).compactMapValues { $0.count == 1 ? $0[0].1 : nil }
    }

    /// The catalogue of no graph.
    package init() {
        (front, keepers, all) = (nil, [:], [])
    }

    /// Whether the graph reports its catalogue without being asked.
    var isKnown: Bool { front != nil }

    /// The catalogue of the graph; of several variants the one that was confirmed last.
    ///
    /// - Parameter last: the last answer.
    func holding(after last: ProductsAnswer?) -> Holding {
        if let front { return Self.newest(in: front).map(Holding.answer) ?? .nothing }
        return last.flatMap(answerer).flatMap(Self.newest).map(Holding.answer) ?? .unknown
    }

    /// Whether a provider of the graph keeps answers.
    var keepsAnswers: Bool { !all.isEmpty }

    /// The keepers whose refreshes fail; of several variants the one that has failed for longest.
    var failing: [FailingUpstream] {
        all.compactMap { label, keeper in
            keeper.report.memory?.troubles.min { $0.since < $1.since }
                .map { FailingUpstream(provider: label, trouble: $0) }
        }
    }

    /// A catalogue that is too old counts as long as its source neither fails nor is late: the next request refreshes
    /// it.
    private static func newest(in keeper: any StateReporting) -> ProductsAnswer? {
        let servable = keeper.report.memory?.kept.filter { kept in
            kept.isServable || kept.freshness.map { !$0.isOffline && !$0.isLate } ?? false
        }
        return servable?.max { $0.snapshot.fetchedAt < $1.snapshot.fetchedAt }
            .map { ProductsAnswer(snapshot: $0.snapshot, freshness: $0.freshness) }
    }

    /// The one keeper on the answer's trail.
    private func answerer(of answer: ProductsAnswer) -> (any StateReporting)? {
        let names = Set(answer.trail.map(\.node)).filter { keepers[$0] != nil }
        return names.count == 1 ? names.first.flatMap { keepers[$0] } : nil
    }

    /// The providers that every request passes, in their order.
    private static func way(from root: ComponentOutline) -> [ComponentOutline] {
        var way = [root]
        while let last = way.last {
            let below = last.children.map(\.outline).filter { $0.family == ProviderFamily.noun }
            guard below.count == 1 else { break }
            way.append(below[0])
        }
        return way
    }
}
