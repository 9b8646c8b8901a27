internal import Logging
internal import Products

/// `larder fetch`: asks the graph once, prints the products, and notes what each node did.
public struct FetchCommand: Sendable {
    private let configPath: String
    private let environment: CommandEnvironment

    /// Asks the graph of the config file at this path.
    public init(configPath: String, environment: CommandEnvironment) {
        self.configPath = configPath
        self.environment = environment
    }

    /// - Throws: `CommandFailure` when the config is bad or the graph has no answer.
    public func run() async throws {
        let configuration = try environment.load(configPath)
        let note = environment.note
        let logger = Logger(label: "larder") { _ in
            JSONLogHandler(level: .warning) { line in note(String(decoding: line.dropLast(), as: UTF8.self)) }
        }
        let runtime = try Runtime(threads: 1, logger: logger)
        let graph = try ServingGraph(configuration, resources: runtime.resources)
        let outcome = await ask(graph, configuration.service.popularity)
        await graph.close()
        await runtime.shutdown()
        let listing = try outcome.get()
        for step in listing.answer.trail { note("\(step)") }
        let listed = listing.encoded()
        environment.output(
            EncodedView.document(of: listed.bytes, total: listed.ranges.count) + [UInt8(ascii: "\n")])
    }

    private func ask(
        _ graph: ServingGraph, _ popularity: PopularityRule
    ) async -> Result<ProductsListing, CommandFailure> {
        let provider = graph.provider
        let useCase = ProductsUseCase(provider: provider, popularity: popularity)
        do {
            return .success(try await useCase.products(for: ProductsRequest()))
        } catch {
            return .failure(CommandFailure("larder: \(error)"))
        }
    }
}
