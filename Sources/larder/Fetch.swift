internal import ArgumentParser
internal import Concurrency
internal import Configuration
internal import FileSystem
internal import HTTPServer
internal import Logging
internal import Products
internal import Providers
internal import Service
internal import Serving
internal import Upstreams
internal import Wiring

struct Fetch: Command {
    static let configuration = CommandConfiguration(
        abstract:
            "Requests the products from the graph once; prints them, and on standard error the steps of each node.",
        discussion: "Exits with 1 when there are no products, and when those printed do not come from the upstream.")

    @OptionGroup var options: ConfigOption

    @Option(help: "The label of the provider to use; by default the served one.")
    var provider: String?

    @Option(help: "A header of the request, as 'Name: value'; may be repeated.")
    var header: [RequestHeader] = []

    @Flag(help: "Saves nothing in stores, and writes no events.")
    var dryRun = false

    @Option(
        help: "Explains the product with this id instead: where each of its members comes from, and by which rules.")
    var explain: String?

    @Flag(help: "Exits with 1 after warnings, such as of paths that lead to nothing.")
    var strict = false

    func run(in environment: CommandEnvironment) async throws {
        let configuration = try load(in: environment)
        let warnings = WarningCount()
        let runtime = try Runtime(
            threads: 1,
            logger: .jsonLines(level: .warning) { line in
                warnings.value.withLock { $0 += 1 }
                environment.report(String(decoding: line.dropLast(), as: UTF8.self))
            })
        var resources = runtime.resources
        resources.set(StoreEnvironment(closingTime: .seconds(60)))
        resources.set(GraphObservation(root: configuration.root.outline.id, wallClock: runtime.wallClock))
        if dryRun { resources.set(DryRun()) }
        if StandardStreams.isErrorTerminal { resources.set(ExpansionProgress.line) }
        let explanation = explain.map(ProductExplanation.init(of:))
        if let explanation { resources.set(explanation) }
        let graph = try ServingGraph(configuration, resources: resources)
        let recorder = SpanRecorder(timedBy: ContinuousClock())
        let outcome = await ask(graph, configuration.service.popularity, recorder)
        if StandardStreams.isErrorTerminal { ExpansionProgress.clear() }
        await graph.close()
        await runtime.shutdown()
        if let explain, let explanation {
            guard explanation.texts.isEmpty else { return try environment.print(explanation.texts.joined()) }
            if case .success = outcome {
                throw CommandFailure("larder: no source has an item with the id \"\(explain)\"")
            }
        }
        switch outcome {
        case .success(let listing):
            try show(listing, recorder.spans, in: environment)
            let count = warnings.value.withLock { $0 }
            if strict, count > 0 { throw CommandFailure("larder: \(count) \(count == 1 ? "warning" : "warnings")") }
        case .failure(let error):
            report(Self.steps(of: recorder.spans, in: graph.outline), in: environment)
            throw CommandFailure("larder: \(Self.reason(of: error, recorder.spans))")
        }
    }

    private func load(in environment: CommandEnvironment) throws -> LoadedConfiguration {
        let path = options.path(in: environment)
        let served = try environment.load(path)
        guard let provider else { return served }
        let document = ShopGraph.expanded(try ConfigDocument.read(path: path, environment: environment.variables))
        let labels = document.root["providers"]?.entries?.map(\.key) ?? []
        guard labels.contains(provider) else {
            let hint = labels.isEmpty ? "the config labels none" : "there are \(labels.joined(separator: ", "))"
            throw ValidationError("no provider is called \"\(provider)\"; \(hint)")
        }
        do {
            return try LoadedConfiguration.check(document.replacing("serve", with: provider))
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private func ask(
        _ graph: ServingGraph, _ popularity: PopularityRule, _ recorder: SpanRecorder
    ) async -> Result<ProductsListing, any Error> {
        let useCase = ProductsUseCase(provider: graph.provider, popularity: popularity)
        var request = ConsultedHeaders(graph.outline).products(
            HTTPRequest(target: "/products", headers: header.map { ($0.name, $0.value) }))
        request.explanation = Explanation(recorder: recorder)
        do {
            return .success(try await useCase.products(for: request))
        } catch {
            return .failure(error)
        }
    }

    /// Prints the products, and then fails unless they come from the upstream.
    private func show(_ listing: ProductsListing, _ spans: [TraceSpan], in environment: CommandEnvironment) throws {
        report(listing.answer.trail, in: environment)
        try environment.output(listing.encoded().array.bytes + [UInt8(ascii: "\n")])
        guard let substitute = Self.substitute(in: listing.answer) else { return }
        let reason = listing.answer.failure.map { ": \(Self.reason(of: $0, spans))" } ?? ""
        throw CommandFailure("larder: these products are from \(substitute), not from the upstream\(reason)")
    }

    /// Prints steps, without saves that a dry run leaves out.
    private func report(_ steps: [TrailStep], in environment: CommandEnvironment) {
        for step in steps where !dryRun || step.outcome != .saving { environment.report("\(step)") }
        if dryRun { environment.report("dry run: nothing was saved, and no event was written") }
    }

    /// The steps of a request without an answer, in the order of their ends.
    private static func steps(of spans: [TraceSpan], in root: ComponentOutline) -> [TrailStep] {
        let names = Dictionary(root.all.map { ($0.id, $0.name) }) { first, _ in first }
        let ended = spans.filter { $0.end != nil }.sorted { $0.end ?? .zero < $1.end ?? .zero }
        return ended.compactMap { span in
            switch span.outcome {
            case .failed(let failure): TrailStep(node: names[span.node] ?? span.node, outcome: .failed(failure))
            case .answered: span.trail.last
            case .running, .cancelled: nil
            }
        }
    }

    /// The sentence about a failure. `unavailable` contains only the token of its cause, so the cause is taken from the
    /// spans.
    private static func reason(of error: any Error, _ spans: [TraceSpan]) -> String {
        guard let failure = error as? ProductsFailure else { return "\(error)" }
        return failure.description { token in
            for case .failed(let cause) in spans.lazy.map(\.outcome) where cause.token == token { return "\(cause)" }
            return nil
        }
    }

    /// Describes the source of products that replace the upstream's, wholly or partly; nil for the upstream's own.
    private static func substitute(in answer: ProductsAnswer) -> String? {
        switch answer.snapshot.origin {
        case .store: "a store"
        case .bundled: answer.failure == nil ? nil : "a file"
        case .network: answer.failure != nil && answer.trail.contains { $0.outcome == .hit } ? "a store in part" : nil
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

/// A line of a terminal that is written over again and again.
extension ExpansionProgress {
    private static let start = "\r\u{1B}[K"

    fileprivate static let line = ExpansionProgress { answered, all in write("expanded \(answered) of \(all)") }

    fileprivate static func clear() { write("") }

    private static func write(_ text: String) { try? StandardStreams.error(Array((start + text).utf8)) }
}

/// Counts the warnings of a command.
private final class WarningCount: Sendable {
    let value = Mutex(0)
}
