public import Concurrency
internal import JSON
internal import Persistence
internal import Products

/// `larder store list`: the generations of the graph's stores, each read whole.
public struct StoreListCommand: Sendable {
    private let configPath: String
    private let store: String?
    private let format: StoreFormat
    private let wallClock: WallClock
    private let environment: CommandEnvironment

    /// Lists what the stores of the config file at this path have.
    ///
    /// - Parameters:
    ///   - store: the only one that is wanted, by the name that metrics have for it; nil for all.
    ///   - wallClock: what ages are measured by.
    public init(
        configPath: String, store: String?, format: StoreFormat = .text, wallClock: WallClock = .system,
        environment: CommandEnvironment
    ) {
        self.configPath = configPath
        self.store = store
        self.format = format
        self.wallClock = wallClock
        self.environment = environment
    }

    /// - Throws: `CommandFailure` when the config is bad, has no such store, or a directory cannot be listed.
    public func run() throws {
        _ = try printed { $0.table }
    }

    /// Prints what there is.
    ///
    /// - Parameter text: what is printed of a store for people.
    func printed(_ text: (StoreReport) -> String) throws -> [StoreReport] {
        let stores = try ConfiguredStore.all(in: try environment.load(configPath), named: store)
        let now = wallClock.now()
        let reports = try stores.map { try StoreReport($0, at: now) }
        switch format {
        case .text: try environment.output(Array(reports.map(text).joined(separator: "\n").utf8))
        case .json: try environment.output(JSONValue.array(reports.map(\.json)).encoded() + [UInt8(ascii: "\n")])
        }
        return reports
    }
}

/// `larder store verify`: whether every generation of the graph's stores is what was written.
public struct StoreVerifyCommand: Sendable {
    private let list: StoreListCommand

    /// Verifies what the stores of the config file at this path have.
    ///
    /// - Parameters:
    ///   - store: the only one that is wanted, by the name that metrics have for it; nil for all.
    ///   - wallClock: what ages are measured by.
    public init(
        configPath: String, store: String?, format: StoreFormat = .text, wallClock: WallClock = .system,
        environment: CommandEnvironment
    ) {
        list = StoreListCommand(
            configPath: configPath, store: store, format: format, wallClock: wallClock, environment: environment)
    }

    /// - Throws: `CommandFailure` when a directory is not there, when a generation is damaged or cannot be read, and as
    ///   `StoreListCommand` does.
    public func run() throws {
        let problems = try list.printed { $0.lines }.compactMap(Self.problem)
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
