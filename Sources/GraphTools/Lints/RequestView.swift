internal import Configuration

/// A graph as it is for requests of one sort: for one value of a header by which an audience is told, or for the
/// subjects in one arm of an experiment.
struct RequestView {
    /// The requests with one value of a header.
    private struct Audience: Hashable, Comparable {
        let header: String
        let arm: String

        /// The role of the provider that a strategy chooses for them; nil where it goes by another header.
        func arm(of strategy: ComponentOutline) -> String? {
            guard strategy.header == header else { return nil }
            return strategy.arms.contains(arm) ? arm : "otherwise"
        }

        static func < (left: Audience, right: Audience) -> Bool {
            (left.header, left.arm) < (right.header, right.arm)
        }
    }

    /// The ids of all components that such requests can get to.
    private let inside: Set<String>
    /// The ids of all that requests of any sort can get to from the same place.
    private let all: Set<String>

    /// The views that a graph offers.
    ///
    /// An audience is told alike everywhere, so its requests are followed from the root, and what they get to beside
    /// the strategy counts. An experiment has an arm for everybody, and the other one stands in where that fails; so
    /// only what its arms have in common counts.
    static func all(in graph: LintedGraph) -> [RequestView] {
        let audiences = graph.providers("audience").flatMap { strategy in
            strategy.arms.map { Audience(header: strategy.header, arm: $0) }
        }
        let views = Set(audiences).sorted().map { audience in
            RequestView(from: graph.components.prefix(1)) { $0.isProvider("audience") ? audience.arm(of: $0) : nil }
        }
        return graph.providers("ab_test").reduce(into: views) { views, test in
            views += test.arms.map { arm in RequestView(from: [test]) { $0.id == test.id ? arm : nil } }
        }
    }

    /// Whether such requests get to a component.
    func has(_ outline: ComponentOutline) -> Bool { inside.contains(outline.id) }

    /// Whether only other requests get to a component.
    func lacks(_ outline: ComponentOutline) -> Bool { all.contains(outline.id) && !has(outline) }

    /// - Parameter arm: of the providers of a component, the role of the only one that is asked; nil where it is any.
    private init(from start: some Sequence<ComponentOutline>, arm: (ComponentOutline) -> String?) {
        var (inside, open) = (Set<String>(), Array(start))
        all = Set(open.flatMap(\.all).map(\.id))
        while let next = open.popLast() {
            guard inside.insert(next.id).inserted else { continue }
            let arm = arm(next)
            open += next.providers.filter { arm == nil || $0.role == arm }.map(\.outline)
        }
        self.inside = inside
    }
}

extension ComponentOutline {
    /// The roles of those between which a strategy chooses by a request's headers.
    fileprivate var arms: [String] { providers.map(\.role) }

    /// The header by which it chooses, in lower case.
    fileprivate var header: String { settings.text("header")?.lowercased() ?? "" }
}
