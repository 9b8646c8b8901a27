internal import Concurrency
internal import Configuration
internal import HTTPServer
internal import Logging
internal import Persistence
internal import Products

/// `larder fetch`: asks the graph once, prints the products, and notes what each node did.
public struct FetchCommand: Sendable {
    /// What is asked, and how.
    public struct Options: Sendable {
        /// The label of the provider to ask; nil for the one that is served.
        public var provider: String?
        /// Names and values of the headers that the request has.
        public var headers: [(name: String, value: String)]
        /// Whether stores and sinks are to be left as they are.
        public var isDryRun: Bool

        /// Creates options; by default the served provider is asked, without headers.
        public init(provider: String? = nil, headers: [(name: String, value: String)] = [], isDryRun: Bool = false) {
            self.provider = provider
            self.headers = headers
            self.isDryRun = isDryRun
        }
    }

    private let configPath: String
    private let options: Options
    private let environment: CommandEnvironment

    /// Asks the graph of the config file at this path.
    public init(configPath: String, options: Options = Options(), environment: CommandEnvironment) {
        self.configPath = configPath
        self.options = options
        self.environment = environment
    }

    /// - Throws: `CommandFailure` when the config is bad or the graph has no answer, `CommandExit` when the products
    ///   that it printed do not come from the upstream.
    public func run() async throws {
        let configuration = try load()
        let note = environment.note
        let causes = LoggedCauses()
        let logger = Logger(label: "larder") { _ in
            let lines = JSONLogHandler(level: .warning) { note(String(decoding: $0.dropLast(), as: UTF8.self)) }
            return MultiplexLogHandler([lines, LoggedCauses.Handler(causes)])
        }
        let runtime = try Runtime(threads: 1, logger: logger)
        var resources = runtime.resources
        resources.set(StoreEnvironment(closingTime: .seconds(60)))
        if options.isDryRun { resources.set(DryRun()) }
        let graph = try ServingGraph(configuration, resources: resources)
        let outcome = await ask(graph, configuration.service.popularity, causes)
        await graph.close()
        await runtime.shutdown()
        if options.isDryRun { note("dry run: nothing was saved, and no event was written") }
        let listing = try outcome.get()
        for step in listing.answer.trail { note("\(step)") }
        let listed = listing.encoded()
        try environment.output(
            EncodedView.document(of: listed.bytes, total: listed.ranges.count) + [UInt8(ascii: "\n")])
        guard let substitute = Self.substitute(in: listing.answer) else { return }
        let reason = listing.answer.failure.map { ": \($0.description(causedBy: causes.error))" } ?? ""
        note("larder: these products are from \(substitute), not from the upstream\(reason)")
        throw CommandExit(status: 1)
    }

    private func load() throws -> LoadedConfiguration {
        let served = try environment.load(configPath)
        guard let provider = options.provider else { return served }
        do {
            return try LoadedConfiguration.load(
                path: configPath, environment: environment.variables, serving: provider)
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private func ask(
        _ graph: ServingGraph, _ popularity: PopularityRule, _ causes: LoggedCauses
    ) async -> Result<ProductsListing, CommandFailure> {
        let useCase = ProductsUseCase(provider: graph.provider, popularity: popularity)
        var request = ConsultedHeaders(graph.outline).products(
            HTTPRequest(target: "/products", headers: options.headers.map { ($0.name, $0.value) }))
        request.source = nil
        do {
            return .success(try await useCase.products(for: request))
        } catch let failure as ProductsFailure {
            return .failure(CommandFailure("larder: \(failure.description(causedBy: causes.error))"))
        } catch {
            return .failure(CommandFailure("larder: \(error)"))
        }
    }

    /// Describes the source of products served in place of the upstream's, also in part; nil for the upstream's own.
    private static func substitute(in answer: ProductsAnswer) -> String? {
        switch answer.snapshot.origin {
        case .store: "a store"
        case .bundled: answer.failure == nil ? nil : "a file"
        case .network: answer.failure != nil && answer.trail.contains { $0.outcome == .hit } ? "a store in part" : nil
        }
    }
}

/// The errors in the log, by the reason that stands beside each: what a failure that tells the reason alone is about.
final class LoggedCauses: Sendable {
    private let errors = Mutex<[String: String]>([:])

    /// The error that was logged last with this reason.
    func error(for reason: String) -> String? {
        errors.withLock { $0[reason] }
    }

    private func take(_ metadata: Logger.Metadata?) {
        guard let reason = metadata?["reason"], let error = metadata?["error"] else { return }
        errors.withLock { $0["\(reason)"] = "\(error)" }
    }

    /// Takes down what is logged, and writes nothing.
    struct Handler: LogHandler {
        let causes: LoggedCauses
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        init(_ causes: LoggedCauses) {
            self.causes = causes
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            causes.take(event.metadata)
        }
    }
}
