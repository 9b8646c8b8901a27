internal import Persistence
internal import Products

/// `larder store show`: the products of one generation, as they were stored.
public struct StoreShowCommand: Sendable {
    private let configPath: String
    private let store: String?
    private let generation: Int?
    private let environment: CommandEnvironment

    /// Shows a generation of a store of the config file at this path.
    ///
    /// - Parameters:
    ///   - store: by the name that metrics have for it; nil where there is only one.
    ///   - generation: nil for the newest that can be used, which is what the service loads.
    public init(configPath: String, store: String?, generation: Int?, environment: CommandEnvironment) {
        self.configPath = configPath
        self.store = store
        self.generation = generation
        self.environment = environment
    }

    /// Prints an array of products in the form that `file` and `larder upstream` read.
    ///
    /// - Throws: `CommandFailure` when the config is bad, has no such store, or the generation cannot be used.
    public func run() throws {
        let store = try ConfiguredStore.one(in: try environment.load(configPath), named: store)
        let snapshot: ProductsSnapshot
        do throws(GenerationArchiveError) {
            snapshot = try store.archive.snapshot(of: generation)
        } catch {
            throw CommandFailure("larder: \(error)")
        }
        try environment.output(snapshot.catalogue.encoded + [UInt8(ascii: "\n")])
    }
}
