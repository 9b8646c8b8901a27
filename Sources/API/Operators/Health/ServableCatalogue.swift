package import Configuration
internal import FoundationEssentials
internal import Products
package import Providers

/// The catalogue that a graph answers from at a moment, as the provider tells that keeps it.
///
/// That is the one nearest to the root: the root itself, or what only decorators stand before. A graph that picks one
/// of several keepers by the request has none in front; which one answered last is on the trail of its answer. A keeper
/// does not count at all where something before it may refuse what it gives: such a graph has to be asked.
package struct ServableCatalogue: Sendable {
    /// The state of the catalogue.
    enum Holding: Sendable {
        case answer(ProductsAnswer)
        /// All requests are answered from this provider, and it has nothing that may be served.
        case nothing
        /// There is no telling but by asking the graph.
        case unknown
    }

    /// The types of component that pass on the answers of a provider below them unchanged.
    private static let passing: Set<String> = [
        AnalyticsProductsProviderDecorator.spec.type, CachingProductsProviderDecorator.spec.type,
        RetryProductsProviderDecorator.spec.type, FallbackProductsProviderStrategy.spec.type,
        ReachabilityProductsProviderStrategy.spec.type, ABTestProductsProviderStrategy.spec.type,
        AudienceProductsProviderStrategy.spec.type,
    ]
    private let front: (any StateReporting)?
    private let keepers: [String: any StateReporting]
    /// Every keeper of the graph, by its label in metrics.
    private let all: [(label: String, keeper: any StateReporting)]

    /// - Parameters:
    ///   - outline: the graph's.
    ///   - observation: knows the graph's providers; without it none is known.
    package init(_ outline: ComponentOutline, _ observation: GraphObservation?) {
        let found = (observation?.reporters ?? []).filter { $0.reporter.report.memory != nil }
        all = found.map { (ProviderFamily.metricLabel($0.id), $0.reporter) }
        let byID = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.reporter) })
        func keeper(_ outline: ComponentOutline) -> (any StateReporting)? { byID[outline.id] }
        let way = Self.way(from: outline)
        let reached = way.prefix { keeper($0) == nil && Self.passing.contains($0.type) }.count
        front = reached < way.count ? keeper(way[reached]) : nil
        let refusing = outline.all.filter {
            $0.family == ProviderFamily.noun && keeper($0) == nil && !Self.passing.contains($0.type)
        }
        let hidden = Set(refusing.flatMap(\.children).flatMap(\.outline.all).map(\.id))
        let named = outline.all.filter { !hidden.contains($0.id) }
            .compactMap { outline in keeper(outline).map { (outline.name, $0) } }
        keepers = Dictionary(grouping: named, by: \.0).compactMapValues { $0.count == 1 ? $0[0].1 : nil }
    }

    /// No graph's.
    package init() {
        (front, keepers, all) = (nil, [:], [])
    }

    /// Whether it takes no answer to tell what the graph has.
    var isKnown: Bool { front != nil }

    /// The catalogue in memory; of several variants the one that was confirmed last.
    ///
    /// - Parameter last: what was answered last.
    func holding(after last: ProductsAnswer?) -> Holding {
        if let front { return Self.newest(in: front).map(Holding.answer) ?? .nothing }
        return last.flatMap(answerer).flatMap(Self.newest).map(Holding.answer) ?? .unknown
    }

    /// Whether anything in the graph keeps answers.
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

    /// The providers that every request comes through, one after the other.
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
