public import Concurrency
internal import Configuration
internal import FoundationEssentials
internal import Persistence
internal import Products
internal import Providers

/// `larder store rollback`: makes the products of an older generation those of the newest.
public struct StoreRollbackCommand: Sendable {
    /// What becomes of it, for the help and for whoever has just done it.
    public static let consequence = """
        A running service goes on with the newer products that it has in memory, also after SIGHUP, and saves the next \
        catalogue that its upstream delivers above this generation.
        A service that starts while its upstream is away serves this generation, with the age that its products have: \
        take the upstream away, then restart the service. Products that are older than `memory` may serve \
        (ttl + stale_if_error) are not served, also not then.
        """

    private let configPath: String
    private let store: String?
    private let generation: Int?
    private let wallClock: WallClock
    private let environment: CommandEnvironment

    /// Goes back in a store of the config file at this path.
    ///
    /// - Parameters:
    ///   - store: by the name that metrics have for it; nil where there is only one.
    ///   - generation: nil for the newest usable one from before the products in use came.
    ///   - wallClock: what ages are measured by.
    public init(
        configPath: String, store: String?, generation: Int?, wallClock: WallClock = .system,
        environment: CommandEnvironment
    ) {
        self.configPath = configPath
        self.store = store
        self.generation = generation
        self.wallClock = wallClock
        self.environment = environment
    }

    /// - Throws: `CommandFailure` when the config is bad, has no such store, or there is nothing to go back to.
    public func run() throws {
        let configuration = try environment.load(configPath)
        let store = try ConfiguredStore.one(in: configuration, named: store)
        let rollback: Rollback
        do throws(GenerationArchiveError) {
            rollback = try store.archive.rollBack(to: generation)
        } catch {
            throw CommandFailure("larder: \(error)")
        }
        try environment.output(Array("\(store.archive.path): \(Self.sentence(for: rollback))\n".utf8))
        guard case .written(let generation, _, let snapshot) = rollback else { return }
        environment.note(Self.consequence)
        let age = snapshot.age(at: wallClock.now())
        for limit in ServingLimit.all(in: configuration.root.outline) where age > limit.age {
            environment.note(
                "warning: the products of generation \(generation) are \(DurationText.format(age)) old, and "
                    + "\"\(limit.memory)\" serves none that are older than \(DurationText.format(limit.age))")
        }
    }

    private static func sentence(for rollback: Rollback) -> String {
        switch rollback {
        case .written(let new, let old, let snapshot):
            let count = snapshot.products.count
            return "generation \(new) has the products of generation \(old) now "
                + "(\(count) \(count == 1 ? "product" : "products"), fetched \(snapshot.fetchedAt.formatted(.iso8601)))"
        case .unneeded(let newest):
            return "generation \(newest), the newest that can be used, has these products already; nothing was written"
        }
    }
}

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
