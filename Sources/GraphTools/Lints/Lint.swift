package import Configuration

/// A rule about a graph as a whole: it sees what no component can see by itself.
protocol Lint: Sendable {
    /// What the rule finds wrong, in any order.
    ///
    /// Rules run whether or not a component has problems of its own. A field that cannot be read may have any text, so a
    /// rule says nothing about what it does not understand, nor about what an unreadable component lacks.
    func problems(in graph: LintedGraph) -> [Diagnostic]
}

/// All rules that a config's graph is checked against.
package enum Lints {
    /// Every rule.
    static let all: [any Lint] = [
        NestedRetryLint(), TightDeadlineLint(), ConnectTimeoutLint(), UnreachedBreakerLint(), PatientBreakerLint(),
        InterruptedBreakerLint(), UnkeptMemoryLint(), LongHoldOffLint(), UnreachableArmLint(), UncountedExposureLint(),
        SharedStoreLint(), EventNameLint(), GoogleAnalyticsLint(), UncountedPagesLint(), PlainSecretLint(),
        PlainTransportLint(), RepeatedPartLint(), FutileFallbackLint(),
    ]

    /// What all rules find wrong with the graph below `root`, in any order.
    package static func problems(in root: ComponentOutline, registry: ComponentRegistry) -> [Diagnostic] {
        let graph = LintedGraph(root: root, registry: registry)
        return all.flatMap { $0.problems(in: graph) }
    }
}

/// A graph as rules look at it.
struct LintedGraph {
    /// Every component, each once, the root first.
    let components: [ComponentOutline]
    private let registry: ComponentRegistry
    private let root: ComponentOutline

    /// The graph below `root`.
    init(root: ComponentOutline, registry: ComponentRegistry) {
        self.root = root
        self.registry = registry
        components = root.all
    }

    /// The providers of a type.
    func providers(_ type: String) -> [ComponentOutline] {
        components.filter { $0.isProvider(type) }
    }

    /// The fields that a component may have.
    func fields(of outline: ComponentOutline) -> [FieldSpec] {
        registry.family(noun: outline.family)?.component(type: outline.type)?.fields ?? []
    }

    /// The only provider that asks this one; nil where there are several, or none.
    func onlyParent(of outline: ComponentOutline) -> ComponentOutline? {
        let parents = components.filter { $0.providers.contains { $0.outline.id == outline.id } }
        guard let parent = parents.first, parents.count == 1,
            parent.providers.count(where: { $0.outline.id == outline.id }) == 1
        else { return nil }
        return parent
    }

    /// A value for every provider, by id, each made from those of the providers that it asks.
    func bottomUp<Value>(
        _ make: (ComponentOutline, [(role: String, value: Value)]) -> Value
    ) -> [String: Value] {
        var values: [String: Value] = [:]
        func value(of outline: ComponentOutline) -> Value {
            if let known = values[outline.id] { return known }
            let value = make(outline, outline.providers.map { ($0.role, value(of: $0.outline)) })
            values[outline.id] = value
            return value
        }
        _ = value(of: root)
        return values
    }
}

extension ComponentOutline {
    /// The providers that it asks.
    var providers: [Child] { children.filter { $0.outline.family == "provider" } }

    /// Whether this is a provider of a type.
    package func isProvider(_ type: String) -> Bool { family == "provider" && self.type == type }

    /// The sinks that its events get to, through others as well; each once.
    var sinks: [ComponentOutline] {
        children.filter { $0.outline.family == "sink" }.flatMap(\.outline.all)
    }

    /// Every provider below it that can be reached without passing one of these types; each once.
    package func providersBelow(stoppingAt types: Set<String>) -> [ComponentOutline] {
        var seen: Set<String> = []
        var found: [ComponentOutline] = []
        var open = providers
        while let next = open.popLast()?.outline {
            guard seen.insert(next.id).inserted else { continue }
            found.append(next)
            if !types.contains(next.type) { open += next.providers }
        }
        return found
    }

    /// How messages about another place call it: `memory "storefront"`, or `the memory at line 12`.
    var called: String {
        if let label { return "\(type) \"\(label)\"" }
        return position.line == 0 ? "the \(type)" : "the \(type) at line \(position.line)"
    }
}
