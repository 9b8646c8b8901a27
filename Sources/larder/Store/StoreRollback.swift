internal import ArgumentParser
internal import Concurrency
internal import Configuration
internal import FoundationEssentials
internal import Persistence
internal import Products
internal import Service

struct StoreRollback: Command {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Pins an older generation, also while no service runs.",
        discussion: "Nothing is removed; repeated calls go on backwards.\n\n\(consequence)")

    /// The consequences for a service, for the help and after the rollback.
    static let consequence = """
        This is a pin: the generation is served, over refreshes and restarts, until `larder unpin` takes the pin off.
        A running service serves it from its next refresh on; `larder pin` does the same at once.
        """

    @OptionGroup var stores: StoreOptions

    @Argument(help: "The generation's number; by default the newest usable one from before the products in use came.")
    var generation: Int?

    @Option(help: "Why; the service shows it while the pin is in force.")
    var reason: String?

    /// - Throws: `CommandFailure` when the config is bad, has no such store, or there is nothing to go back to.
    func run(in environment: CommandEnvironment) async throws {
        let store = try stores.one(in: stores.options.load(in: environment).root.outline)
        let order = OperatorOrder(
            at: environment.wallClock.now(), by: "\(environment.userName) by larder store rollback", reason: reason)
        let (pin, snapshot) = try store.read { archive throws(GenerationArchiveError) in
            try archive.rollBack(to: generation, by: order)
        }
        let count = snapshot.products.count
        try environment.print(
            "\(store.archive.path): generation \(pin.generation) is pinned "
                + "(\(count) \(count == 1 ? "product" : "products"), fetched \(snapshot.fetchedAt.formatted(.iso8601)))\n"
        )
        environment.note(Self.consequence)
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
