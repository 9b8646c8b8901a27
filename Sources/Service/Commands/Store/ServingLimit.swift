internal import Configuration
internal import Providers

/// How old a catalogue may be for a `memory` of a graph to serve it at all.
struct ServingLimit: Sendable {
    /// What the `memory` is called.
    let memory: String
    let age: Duration

    /// Of every `memory` of the graph.
    static func all(in root: ComponentOutline) -> [ServingLimit] {
        root.all.compactMap { outline in
            guard outline.family == ProviderFamily.noun, outline.type == MemoryProductsProviderDecorator.spec.type,
                let ttl = outline.settings.duration("ttl"),
                let window = outline.settings.duration("stale_while_revalidate"),
                let errorWindow = outline.settings.duration("stale_if_error")
            else { return nil }
            return ServingLimit(memory: outline.name, age: ttl + max(window, errorWindow))
        }
    }
}
