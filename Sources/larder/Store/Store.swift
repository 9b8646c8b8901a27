internal import ArgumentParser
import Concurrency
internal import Configuration
internal import JSON
internal import Persistence
internal import Products
internal import Service
internal import Wiring

struct Store: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manages the generations in the graph's stores, also while the service runs.",
        discussion: "Run it as the user of the service, so that the service can read and write the files.",
        subcommands: [StoreList.self, StoreShow.self, StoreVerify.self])
}

/// The options of the store commands.
struct StoreOptions: ParsableArguments {
    @OptionGroup var options: ConfigOption

    @Option(name: .long, help: "The store, by its name in metrics. Required if the graph has several.")
    var store: String?

    /// The stores of the config's graph, in the order of the file; with `--store` only that one.
    ///
    /// - Throws: `CommandFailure` if the config is bad or there is no such store.
    func all(in environment: CommandEnvironment) throws -> [ConfiguredStore] {
        try ConfiguredStore.all(store, in: options.load(in: environment).root.outline)
    }

    /// The chosen store, or the only one.
    ///
    /// - Throws: `CommandFailure` if the config is bad, or there is no such store, or several.
    func one(in environment: CommandEnvironment) throws -> ConfiguredStore {
        try ConfiguredStore.one(store, in: options.load(in: environment).root.outline)
    }
}

/// A store of the graph.
struct ConfiguredStore: Sendable {
    /// Its name in metrics.
    let name: String
    let archive: GenerationArchive

    /// Returns the store with a name, or without one the only store.
    ///
    /// - Throws: `CommandFailure` if there is none, or several.
    static func one(_ name: String?, in root: ComponentOutline) throws(CommandFailure) -> ConfiguredStore {
        let stores = try all(name, in: root)
        guard stores.count == 1, let store = stores.first else {
            throw CommandFailure(
                "larder: the graph has several stores; choose one with --store: \(names(of: stores))")
        }
        return store
    }

    /// Returns the stores in the order of the file; with a name only that one.
    static func all(_ name: String?, in root: ComponentOutline) throws(CommandFailure) -> [ConfiguredStore] {
        let stores = root.all.sorted { $0.position < $1.position }.compactMap { outline in
            GenerationArchive(outline).map { ConfiguredStore(name: outline.metricLabel, archive: $0) }
        }
        let shared = root.all.filter(\.isSharedStore).map { $0.metricLabel }
        if let name, shared.contains(name) { throw sharedStore(name) }
        if stores.isEmpty, let first = shared.first { throw sharedStore(first) }
        guard !stores.isEmpty else {
            throw CommandFailure("\(Diagnostic(.error, at: root.position, "the graph that is served has no store"))")
        }
        guard let name else { return stores }
        let wanted = stores.filter { $0.name == name }
        guard !wanted.isEmpty else {
            throw CommandFailure(
                "larder: no store of the graph is called \"\(name)\"; there is \(names(of: stores))")
        }
        return wanted
    }

    private static func sharedStore(_ name: String) -> CommandFailure {
        CommandFailure(
            "larder: \"\(name)\" is shared, and has no files here; a running service lists it by "
                + "`larder history --store \(name)`, compares by `larder diff` and goes back by `larder pin`, and "
                + "`larder check --connect` shows what its server has")
    }

    private static func names(of stores: [ConfiguredStore]) -> String { stores.map(\.name).joined(separator: ", ") }

    /// Calls the archive.
    ///
    /// - Throws: `CommandFailure` with the archive's error.
    func read<Result>(
        _ body: (GenerationArchive) throws(GenerationArchiveError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(GenerationArchiveError) {
            return try body(archive)
        } catch {
            throw CommandFailure("larder: \(error)")
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

    /// - Throws: `CommandFailure` if the config is bad, has no such store, or the generation cannot be used.
    func run(in environment: CommandEnvironment) throws {
        let store = try stores.one(in: environment)
        let snapshot = try store.read { archive throws(GenerationArchiveError) in
            try archive.snapshot(of: generation)
        }
        try environment.output(snapshot.catalogue.encoded + [UInt8(ascii: "\n")])
    }
}

struct StoreList: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the generations, newest first.",
        discussion: "Reads every file whole and compares its checksum. Changes nothing.")

    @OptionGroup var stores: StoreOptions

    @Option(help: "text or json.")
    var format = StoreFormat.text

    func run(in environment: CommandEnvironment) throws {
        try format.print(stores.reports(in: environment), in: environment) { $0.table }
    }
}

struct StoreVerify: Command {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Checks every generation: exit 1 when one is damaged or cannot be read.",
        discussion: """
            A damaged file is left in place: the service moves it aside when it reads it. A generation that a newer \
            version of Larder wrote is reported, but does not count as damage.
            """)

    @OptionGroup var stores: StoreOptions

    @Option(help: "text or json.")
    var format = StoreFormat.text

    /// - Throws: `CommandFailure` if a directory is missing, or a generation is damaged or cannot be read.
    func run(in environment: CommandEnvironment) throws {
        let reports = try stores.reports(in: environment)
        try format.print(reports, in: environment) { $0.lines }
        let problems = reports.compactMap(Self.problem)
        guard problems.isEmpty else { throw CommandFailure(problems.joined(separator: "\n")) }
    }

    private static func problem(of report: StoreReport) -> String? {
        guard report.isThere else { return "larder: store \"\(report.name)\": there is no directory \(report.path)" }
        guard !report.lost.isEmpty else { return nil }
        let (lost, all) = (report.lost.count, report.contents.generations.count)
        let noun = all == 1 ? "generation" : "generations"
        return "larder: store \"\(report.name)\": \(lost) of \(all) \(noun) cannot be used"
    }
}

/// The output format of store commands: text for a terminal, JSON for scripts.
enum StoreFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json

    /// Prints reports.
    ///
    /// - Parameter text: the text form of a report.
    func print(
        _ reports: [StoreReport], in environment: CommandEnvironment, text: (StoreReport) -> String
    ) throws {
        switch self {
        case .text: try environment.print(reports.map(text).joined(separator: "\n"))
        case .json:
            try environment.output(JSONValue.array(reports.map(\.json)).encoded() + [UInt8(ascii: "\n")])
        }
    }
}

extension StoreOptions {
    fileprivate func reports(in environment: CommandEnvironment) throws -> [StoreReport] {
        let now = environment.wallClock.now()
        return try all(in: environment).map { try StoreReport($0, at: now) }
    }
}
