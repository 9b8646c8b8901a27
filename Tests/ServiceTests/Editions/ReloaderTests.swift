@testable import Prometheus
@testable import OperatorsAPI
@testable import Serving
import Configuration
import Health
import Products
import ServingTestSupport
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct ReloaderTests {
    private static let refusal = "error: reload refused, the old config stays"

    /// Runs a test with a graph of one probe in force.
    private func with(_ body: (ReloadBench) async throws -> Void) async throws {
        let log = LogRecorder()
        let load: ReloadBench.Load = { yaml throws(ConfigurationError) in try ProbeGraph.configuration(log, yaml) }
        try await ReloadBench.with("serve: { type: probe }", log, loadedBy: load, body)
    }

    @Test func `a graph that cannot be made is closed as far as it was made`() async throws {
        try await with { bench in
            await bench.reload("serve: { type: probe, breaks: true, upstream: { type: probe } }")
            #expect(bench.log.seen == ["info: made last", "info: made first", Self.refusal])
            #expect(bench.parts.current.edition.number == 1)
        }
    }

    @Test func `a graph without a first answer is closed while the old one serves`() async throws {
        try await with { bench in
            bench.parts.readiness.record(makeAnswer(try makeCatalogue()), of: 1)
            await bench.reload("serve: { type: probe, upstream: { type: probe } }")
            await bench.log.wait(for: "info: made first", count: 2)
            #expect(bench.log.count(of: Self.refusal) == 1)
            #expect(bench.parts.current.edition.graph.outline.children.isEmpty)
            guard case .ready = bench.parts.readiness.verdict else {
                Issue.record("not ready")
                return
            }
        }
    }

    @Test func `only what the replaced graph made is closed`() async throws {
        try await with { bench in
            await bench.reload("serve: { type: probe, upstream: { type: probe } }")
            await bench.log.wait(for: "info: made first")
            #expect(bench.log.count(of: "notice: reloaded") == 1)
            #expect(bench.log.count(of: "info: made first") == 1)
            #expect(bench.parts.current.edition.number == 2)
        }
    }

    @Test func `a refused reload is a trouble with its cause until one succeeds`() async throws {
        try await with { bench in
            let troubles = bench.parts.runtime.troubles
            #expect(troubles.troubles.isEmpty)
            await bench.reload("serve: { type: prob }")
            let trouble = try #require(troubles.troubles.first)
            #expect(trouble.kind == .reload && trouble.cause.contains("\"prob\""))
            await bench.reload("serve: { type: probe, upstream: { type: probe } }")
            #expect(troubles.troubles.isEmpty)
        }
    }

    @Test func `a refused config takes no edition number`() async throws {
        try await with { bench in
            bench.parts.readiness.record(makeAnswer(try makeCatalogue()), of: 1)
            await bench.reload("serve: { type: probe, upstream: { type: probe } }")
            await bench.reload("serve: { type: probe, breaks: true }")
            #expect(bench.log.count(of: Self.refusal) == 2)
            _ = bench.parts.readiness.recordFailure(ProductsFailure.notStored, of: 1)
            await bench.reload("serve: { type: probe, upstream: { type: probe } }")
            #expect(bench.log.metadata(of: "notice: reloaded").map { $0["edition"] } == ["2"])
        }
    }

    @Test func `a config on a hanging disk is abandoned when the service stops`() async throws {
        try await with { bench in
            let (disk, isRead) = (Gate(), Observed(false))
            disk.close()
            defer { disk.open() }
            let reloading = Task {
                await bench.reloader.reload { [log = bench.log] () throws(ConfigurationError) in
                    isRead.update { $0 = true }
                    disk.pass()
                    return try ProbeGraph.configuration(log, "serve: { type: probe }")
                }
            }
            await isRead.wait { $0 }
            reloading.cancel()
            await reloading.value
            #expect(bench.log.count(of: "notice: reload cancelled, the service stops") == 1)
            #expect(bench.parts.current.edition.number == 1)
        }
    }

    @Test func `a reload under way when the service stops is given up`() async throws {
        try await with { bench in
            let (cancellation, end) = AsyncStream.makeStream(of: Never.self)
            defer { end.finish() }
            let reloading = Task {
                for await _ in cancellation {}
                await bench.reload("serve: { type: probe, upstream: { type: probe } }")
            }
            reloading.cancel()
            await reloading.value
            #expect(bench.log.count(of: "notice: reloaded") == 0)
            #expect(bench.log.count(of: "notice: reload cancelled, the service stops") == 1)
            let families = await bench.runtime.metrics.families()
            let success = families.first { $0.description.name == MetricDescription.configLastReloadSuccessful.name }?
                .series.first?.value
            guard case .count(1) = success else {
                Issue.record("a reload that was given up counts as a failure")
                return
            }
            #expect(bench.parts.current.edition.number == 1)
            #expect(bench.parts.current.edition.graph.outline.children.isEmpty)
        }
    }
}

/// A graph in force without ports, and the reloader that can replace it.
struct ReloadBench {
    typealias Load = @Sendable (String) throws(ConfigurationError) -> LoadedConfiguration

    let log: LogRecorder
    let clock = ManualClock()
    let runtime: Runtime
    let parts: Reloader.Parts
    let reloader: Reloader
    private let load: Load

    private init(_ yaml: String, _ log: LogRecorder, _ load: @escaping Load) throws {
        self.log = log
        self.load = load
        let runtime = try Runtime(threads: 1, logger: log.logger)
        self.runtime = runtime
        let configuration = try load(yaml)
        let assembly = runtime.assembly(for: configuration)
        let graph = try ServingGraph(configuration, in: assembly)
        let readiness = ReadinessTracker(wallClock: runtime.wallClock, timeout: .zero)
        let edition = Edition(configuration, graph: graph, readiness: readiness, runtime: runtime)
        parts = Reloader.Parts(
            current: CurrentEdition(edition), jobs: BackgroundJobs(jobs: [], logger: log.logger),
            retired: RetiredGraphs(), readiness: readiness, runtime: runtime)
        let reports = ReloadLog(logger: log.logger, started: configuration.service)
        reloader = Reloader(parts, assembly: assembly, log: reports, clock: clock)
    }

    static func with(
        _ yaml: String, _ log: LogRecorder = LogRecorder(), loadedBy load: @escaping Load,
        _ body: (ReloadBench) async throws -> Void
    ) async throws {
        let bench = try ReloadBench(yaml, log, load)
        try await attempt({ try await body(bench) }, finally: { await bench.runtime.shutdown() })
    }

    func reload(_ yaml: String) async {
        await reloader.reload { [load] () throws(ConfigurationError) in try load(yaml) }
    }
}
