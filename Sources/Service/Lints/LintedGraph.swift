internal import Configuration

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
