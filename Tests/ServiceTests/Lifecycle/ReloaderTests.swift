import Configuration
import Products
import TestSupport
import Testing

@testable import Service

@Suite("The reloader", .timeLimit(.minutes(1)))
struct ReloaderTests {
    private static let refusal = "error: reload refused, the old config stays"

    /// A graph in force, and the reloader that can replace it.
    private struct Bench {
        let log: LogRecorder
        let clock = ManualClock()
        let runtime: Runtime
        let subjects: Reloader.Subjects
        let reloader: Reloader

        init(_ log: LogRecorder, yaml: String) throws {
            self.log = log
            let runtime = try Runtime(threads: 1, logger: log.logger)
            self.runtime = runtime
            let configuration = try ProbeGraph.configuration(log, yaml)
            let assembly = runtime.assembly(for: configuration)
            let graph = try ServingGraph(configuration, in: assembly)
            let readiness = ReadinessTracker(wallClock: runtime.wallClock, patience: .zero)
            let edition = Edition(configuration, graph: graph, readiness: readiness, runtime: runtime)
            subjects = Reloader.Subjects(
                current: CurrentEdition(edition), jobs: BackgroundJobs(jobs: [], logger: log.logger),
                retired: RetiredGraphs(), readiness: readiness, runtime: runtime)
            let reports = ReloadLog(logger: log.logger, started: configuration.service)
            reloader = Reloader(subjects, assembly: assembly, log: reports, clock: clock)
        }

        func reload(_ yaml: String) async {
            await reloader.reload { [log] () throws(ConfigurationError) in try ProbeGraph.configuration(log, yaml) }
        }
    }

    private func with(_ yaml: String, _ body: (Bench) async throws -> Void) async throws {
        let bench = try Bench(LogRecorder(), yaml: yaml)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(bench)) } catch { outcome = .failure(error) }
        await bench.runtime.shutdown()
        try outcome.get()
    }

    @Test("A graph that cannot be made is closed as far as it was made, and the old one stays")
    func halfMade() async throws {
        try await with("serve: { type: probe }") { bench in
            await bench.reload("serve: { type: probe, breaks: true, upstream: { type: probe } }")
            #expect(bench.log.lines == ["info: made last", "info: made first", Self.refusal])
            #expect(bench.subjects.current.edition.number == 1)
        }
    }

    @Test("A graph without a first answer is closed when nobody asks it any more, where the old one serves")
    func noAnswer() async throws {
        try await with("serve: { type: probe }") { bench in
            bench.subjects.readiness.note(makeAnswer(try makeCatalogue()), of: 1)
            await bench.reload("serve: { type: probe, upstream: { type: probe } }")
            await bench.log.wait(for: "info: made first", count: 2)
            #expect(bench.log.count(of: Self.refusal) == 1)
            #expect(bench.subjects.current.edition.graph.outline.children.isEmpty)
            guard case .ready = bench.subjects.readiness.verdict else {
                Issue.record("not ready")
                return
            }
        }
    }

    @Test("What the replaced graph made is closed; what the new one made is not")
    func replaced() async throws {
        try await with("serve: { type: probe }") { bench in
            await bench.reload("serve: { type: probe, upstream: { type: probe } }")
            await bench.log.wait(for: "info: made first")
            #expect(bench.log.count(of: "notice: reloaded") == 1)
            #expect(bench.log.count(of: "info: made first") == 1)
            #expect(bench.subjects.current.edition.number == 2)
        }
    }

    @Test("What was refused is no edition: the next good config is the second one")
    func editions() async throws {
        try await with("serve: { type: probe }") { bench in
            bench.subjects.readiness.note(makeAnswer(try makeCatalogue()), of: 1)
            await bench.reload("serve: { type: probe, upstream: { type: probe } }")
            await bench.reload("serve: { type: probe, breaks: true }")
            #expect(bench.log.count(of: Self.refusal) == 2)
            _ = bench.subjects.readiness.noteFailure(ProductsFailure.notStored, of: 1)
            await bench.reload("serve: { type: probe, upstream: { type: probe } }")
            #expect(bench.log.metadata(of: "notice: reloaded").map { $0["edition"] } == ["2"])
        }
    }

    @Test("A reload that is under way when the service stops is given up, and the old config stays")
    func stopping() async throws {
        try await with("serve: { type: probe }") { bench in
            let (cancellation, end) = AsyncStream.makeStream(of: Never.self)
            defer { end.finish() }
            let reloading = Task {
                for await _ in cancellation {}
                await bench.reload("serve: { type: probe, upstream: { type: probe } }")
            }
            reloading.cancel()
            await reloading.value
            #expect(bench.log.count(of: "notice: reloaded") == 0)
            #expect(bench.log.count(of: "notice: reload given up, the service stops") == 1)
            let families = await bench.runtime.metrics.families()
            let success = families.first { $0.description == .configLastReloadSuccessful }?.series.first?.value
            guard case .count(1) = success else {
                Issue.record("a reload that was given up counts as a failure")
                return
            }
            #expect(bench.subjects.current.edition.number == 1)
            #expect(bench.subjects.current.edition.graph.outline.children.isEmpty)
        }
    }
}
