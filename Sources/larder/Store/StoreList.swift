internal import ArgumentParser
import Concurrency
internal import JSON
internal import Persistence
internal import Products
internal import Service

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

    /// - Throws: `CommandFailure` when a directory is missing, or a generation is damaged or cannot be read.
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
