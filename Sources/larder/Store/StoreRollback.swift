internal import ArgumentParser
import Concurrency
internal import Configuration
internal import FoundationEssentials
internal import Persistence
internal import Products
internal import Providers
internal import Service
internal import Text
internal import Wiring

struct StoreRollback: Command {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Writes the products of an older generation as a new, newest one.",
        discussion: "Nothing is removed.\n\n\(consequence)")

    /// The consequences for a service, for the help and after the rollback.
    static let consequence = """
        A running service goes on with the newer products that it has in memory, also after SIGHUP, and saves the next \
        catalogue that its upstream delivers above this generation.
        A service that starts while its upstream is away serves this generation, with the age that its products have: \
        take the upstream away, then restart the service. Products that are older than `memory` may serve \
        (ttl + stale_if_error) are not served, also not then.
        """

    @OptionGroup var stores: StoreOptions

    @Argument(help: "The generation's number; by default the newest usable one from before the products in use came.")
    var generation: Int?

    /// - Throws: `CommandFailure` when the config is bad, has no such store, or there is nothing to go back to.
    func run(in environment: CommandEnvironment) throws {
        let root = try stores.options.load(in: environment).root.outline
        let store = try stores.one(in: root)
        let rollback = try store.read { archive throws(GenerationArchiveError) in
            try archive.rollBack(to: generation)
        }
        try environment.print("\(store.archive.path): \(Self.sentence(for: rollback))\n")
        guard case .written(let generation, _, let snapshot) = rollback else { return }
        environment.note(Self.consequence)
        let age = snapshot.age(at: environment.wallClock.now())
        for (memory, limit) in Self.servingLimits(in: root) where age > limit {
            environment.note(
                "warning: the products of generation \(generation) are \(DurationText.format(age)) old, and "
                    + "\"\(memory)\" serves none that are older than \(DurationText.format(limit))")
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

    /// The age up to which each `memory` of the graph serves a catalogue, by the memory's name.
    private static func servingLimits(in root: ComponentOutline) -> [(memory: String, limit: Duration)] {
        root.all.compactMap { outline in
            guard outline.family == ProviderFamily.noun, outline.type == MemoryProductsProviderDecorator.spec.type,
                let ttl = outline.settings.duration("ttl"),
                let window = outline.settings.duration("stale_while_revalidate"),
                let errorWindow = outline.settings.duration("stale_if_error")
            else { return nil }
            return (outline.name, ttl + max(window, errorWindow))
        }
    }
}

struct StoreShow: Command {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints the products of a generation as a JSON array.",
        discussion: "`file` and `larder upstream` read the same form.")

    @OptionGroup var stores: StoreOptions

    @Argument(help: "The generation's number; by default the newest usable one, which the service would load.")
    var generation: Int?

    /// - Throws: `CommandFailure` when the config is bad, has no such store, or the generation cannot be used.
    func run(in environment: CommandEnvironment) throws {
        let store = try stores.one(in: stores.options.load(in: environment).root.outline)
        let snapshot = try store.read { archive throws(GenerationArchiveError) in
            try archive.snapshot(of: generation)
        }
        try environment.output(snapshot.catalogue.encoded + [UInt8(ascii: "\n")])
    }
}
