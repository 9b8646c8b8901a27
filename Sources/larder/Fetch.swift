internal import ArgumentParser
internal import Service

struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks the graph once; prints products, and on standard error what each node did.",
        discussion: "Exits with 1 when there are no products, and when those printed do not come from the upstream.")

    @OptionGroup var options: ConfigOption

    @Option(help: "The labelled provider to ask; the one that is served without it.")
    var provider: String?

    @Option(help: "A header of the request, as 'Name: value'; may be given more than once.")
    var header: [RequestHeader] = []

    @Flag(help: "Saves nothing in stores, and writes no events.")
    var dryRun = false

    func run() async throws {
        try await reporting(options.environment) {
            try await FetchCommand(
                configPath: options.path(),
                options: FetchCommand.Options(
                    provider: provider, headers: header.map { ($0.name, $0.value) }, isDryRun: dryRun),
                environment: options.environment
            ).run()
        }
    }
}

/// A header on the command line.
struct RequestHeader: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":"), colon != argument.startIndex else { return nil }
        let name = argument[..<colon]
        guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0)) }) else {
            return nil
        }
        self.name = String(name)
        value = String(argument[argument.index(after: colon)...].drop { $0 == " " })
    }
}
