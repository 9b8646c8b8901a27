internal import Analytics
internal import Configuration
internal import FileSystem
internal import TestSupport
internal import Testing
internal import Wiring

@Suite(.timeLimit(.minutes(1)))
struct SinkFamilyTests {
    private let log = LogRecorder()

    @Test(arguments: SinkFamily.specs.map(\.example))
    func `every spec's own example is a good config`(_ example: String) async throws {
        try await withResources(log) { resources in
            let (_, assembly) = try makeSink(example, resources: resources)
            await assembly.shutDown()
            #expect(!assembly.shutdownHooks.isEmpty)
        }
    }

    @Test
    func `a sink from the config writes at once, and is flushed and closed when the service stops`() async throws {
        let directory = try TemporaryDirectory()
        try await withResources(log) { resources in
            let (sink, assembly) = try makeSink(
                "{ type: file, path: \(directory("events.jsonl")) }", resources: resources)
            #expect(assembly.shutdownHooks.map(\.name) == ["sink s"])
            for event in makeEvents(0..<100) { sink.log(event) }
            await assembly.shutDown()
            #expect(try Files.read(directory("events.jsonl")).count { $0 == UInt8(ascii: "\n") } == 100)
            sink.log(makeEvent("late"))
            #expect((sink as? QueuedAnalyticsSink)?.statistics.dropped == [.closed: 1])
        }
    }

    @Test func `a size from which every event would have a file of its own is refused`() throws {
        let found = try problems(withSink: "{ type: file, path: /tmp/x, rotate_at: 0 }")
        #expect(found.count == 1)
        #expect(found.first?.contains("\"rotate_at\"") == true)
    }

    @Test func `a sink whose place cannot be used does not keep the service from starting or stopping`() async throws {
        try await withResources(log) { resources in
            let (sink, assembly) = try makeSink("{ type: file, path: /dev/null/events.jsonl }", resources: resources)
            sink.log(makeEvent("a"))
            await assembly.shutDown()
            #expect((sink as? QueuedAnalyticsSink)?.statistics.dropped == [.writeFailed: 1])
        }
    }

    @Test func `a sink that a reload makes anew goes on with the counts of the old one`() async throws {
        let directory = try TemporaryDirectory()
        try await withResources(log) { resources in
            let yaml = "{ type: file, path: \(directory("events.jsonl")), keep: 3 }"
            let (old, first) = try makeSink(yaml, resources: resources)
            let changed = yaml.replacing("keep: 3", with: "keep: 4")
            let (new, second) = try makeSink(changed, resources: resources, replacing: first)
            old.log(makeEvent("a"))
            await first.shutDown()
            new.log(makeEvent("a"))
            await second.shutDown()
            #expect((new as? QueuedAnalyticsSink)?.statistics.sent == ["a": 2])
        }
    }

    @Test func `the sinks of an assembly can be looked at, those within others as well`() async throws {
        try await withResources(log) { resources in
            let (_, assembly) = try makeSink(
                "{ type: tee, sinks: [{ type: log }, { type: log }] }", resources: resources)
            let sinks = assembly.components(of: SinkFamily.self)
            #expect(sinks.map(\.outline.id) == ["analytics.s.sinks[0]", "analytics.s.sinks[1]", "analytics.s"])
            #expect(sinks.map { $0.instance is QueuedAnalyticsSink } == [true, true, false])
            await assembly.shutDown()
        }
    }

    @Test
    func `a sink of Google Analytics sends to the stream that the config names, by its secret, what the queue holds`()
        async throws
    {
        let upstream = ScriptedUpstream(answering { $0.respond() })
        defer { upstream.stop() }
        let directory = try TemporaryDirectory()
        try await withResources(log) { resources in
            let (sink, assembly) = try makeSink(
                """
                { type: google_analytics, measurement_id: G-SHOP1, api_secret: "${LARDER_API_SECRET}",
                    endpoint: "\(upstream.url)mp/collect", spool: \(directory("spool")) }
                """, resources: resources)
            #expect(assembly.shutdownHooks.map(\.name) == ["sink s"])
            #expect(assembly.backgroundJobs.map(\.name) == ["delivery of sink s"])
            sink.log(makeEvent("shown"))
            await assembly.shutDown()
            #expect((sink as? QueuedAnalyticsSink)?.statistics.sent == ["shown": 1])
            let target = "POST /mp/collect?measurement_id=G-SHOP1&api_secret=hush HTTP/1.1"
            #expect(upstream.requestHeads.map { $0.hasPrefix(target) } == [true])
        }
    }

    @Test func `events that Google Analytics cannot be sent wait in the spool of their stream`() async throws {
        let directory = try TemporaryDirectory()
        try await withResources(log) { resources in
            var resources = resources
            // The sink has as long as it takes to write at the end.
            resources.set(AnalyticsEnvironment(clock: ManualClock()))
            let (sink, assembly) = try makeSink(
                """
                { type: google_analytics, measurement_id: G-SHOP1, api_secret: hush,
                    endpoint: "http://127.0.0.1:1/", spool: \(directory("spool")) }
                """, resources: resources)
            for job in assembly.backgroundJobs { try await job.run() }
            sink.log(makeEvent("shown"))
            await assembly.shutDown()
            let files = try Files.list(directory("spool/G-SHOP1")).filter { $0.hasSuffix(".jsonl") }
            #expect(files.count == 1)
        }
    }
}
