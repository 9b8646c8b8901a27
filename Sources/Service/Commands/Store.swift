internal import Configuration
internal import Persistence

/// In which notation the store commands tell of generations.
public enum StoreFormat: String, Sendable, CaseIterable {
    /// For a terminal.
    case text
    /// For scripts.
    case json
}

/// A store of the graph, as the store commands know it.
struct ConfiguredStore: Sendable {
    /// What metrics call it.
    let name: String
    /// What is in it.
    let archive: GenerationArchive

    /// The stores of a config's graph, in the order of the file.
    ///
    /// - Parameter name: the only one that is wanted; nil for all of them.
    /// - Throws: `CommandFailure` when there is none.
    static func all(in configuration: LoadedConfiguration, named name: String?) throws(CommandFailure) -> [Self] {
        let root = configuration.root.outline
        let stores = root.all.sorted { $0.position < $1.position }.compactMap { outline in
            GenerationArchive(outline).map { ConfiguredStore(name: StoreFamily.metricLabel(outline.id), archive: $0) }
        }
        guard !stores.isEmpty else {
            throw CommandFailure("\(Diagnostic(.error, at: root.position, "the graph that is served has no store"))")
        }
        guard let name else { return stores }
        let wanted = stores.filter { $0.name == name }
        guard !wanted.isEmpty else {
            throw CommandFailure("larder: no store of the graph is called \"\(name)\"; there is \(names(of: stores))")
        }
        return wanted
    }

    /// The store that is wanted, or the only one.
    ///
    /// - Throws: `CommandFailure` when there is none, or several.
    static func one(in configuration: LoadedConfiguration, named name: String?) throws(CommandFailure) -> Self {
        let stores = try all(in: configuration, named: name)
        guard stores.count == 1, let store = stores.first else {
            throw CommandFailure("larder: the graph has several stores; choose one with --store: \(names(of: stores))")
        }
        return store
    }

    private static func names(of stores: [Self]) -> String { stores.map(\.name).joined(separator: ", ") }
}
