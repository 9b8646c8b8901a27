internal import Configuration
internal import Logging
internal import Persistence
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
        let causes = LoggedCauses()
        let logger = Logger(label: "larder") { _ in
            let lines = JSONLogHandler(level: .warning) { note(String(decoding: $0.dropLast(), as: UTF8.self)) }
            return MultiplexLogHandler([lines, LoggedCauses.Handler(causes)])
        }
        let runtime = try Runtime(threads: 1, logger: logger)
        var resources = runtime.resources
        resources.set(StoreEnvironment(closingTime: .seconds(60)))
        let graph = try ServingGraph(configuration, resources: resources)
        let outcome = await ask(graph, configuration.service.popularity, causes)
        await graph.close()
        await runtime.shutdown()
        let listing = try outcome.get()
        for step in listing.answer.trail { note("\(step)") }
        let listed = listing.encoded()
        try environment.output(
            EncodedView.document(of: listed.bytes, total: listed.ranges.count) + [UInt8(ascii: "\n")])
    }

    private func ask(
        _ graph: ServingGraph, _ popularity: PopularityRule, _ causes: LoggedCauses
    ) async -> Result<ProductsListing, CommandFailure> {
        let provider = graph.provider
        let useCase = ProductsUseCase(provider: provider, popularity: popularity)
        do {
            return .success(try await useCase.products(for: ProductsRequest()))
        } catch let failure as ProductsFailure {
            return .failure(CommandFailure("larder: \(failure.description(causedBy: causes.error))"))
        } catch {
            return .failure(CommandFailure("larder: \(error)"))
        }
    }
}
