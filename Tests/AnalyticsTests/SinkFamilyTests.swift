internal import TestSupport
internal import Configuration
internal import FileSystem
internal import Testing

@testable internal import Analytics

@Suite(.timeLimit(.minutes(1)))
struct SinkFamilyTests {
    @Test("every spec's own example is a good config", arguments: SinkFamily.specs.map(\.example))
    func examples(_ example: String) async throws {
        let (_, assembly) = try makeSink(example)
        await assembly.shutDown()
        #expect(assembly.shutdownHooks.count == 1)
    }

    @Test("a sink from the config writes at once, and is flushed and closed when the service stops")
    func configured() async throws {
        let directory = try TemporaryDirectory()
        let (sink, assembly) = try makeSink("{ type: file, path: \(directory("events.jsonl")) }")
        #expect(assembly.shutdownHooks.map(\.name) == ["sink s"])
        for event in makeEvents(0..<100) { sink.log(event) }
        await assembly.shutDown()
        #expect(try Files.read(directory("events.jsonl")).count { $0 == UInt8(ascii: "\n") } == 100)
        sink.log(makeEvent("late"))
        #expect((sink as? QueuedAnalyticsSink)?.dropped == [.closed: 1])
    }

    @Test("a sink whose place cannot be used does not keep the service from starting or stopping")
    func unusable() async throws {
        let (sink, assembly) = try makeSink("{ type: file, path: /dev/null/events.jsonl }")
        sink.log(makeEvent())
        await assembly.shutDown()
        #expect((sink as? QueuedAnalyticsSink)?.dropped == [.writeFailed: 1])
    }

    private func makeSink(_ yaml: String) throws -> (sink: any AnalyticsSink, assembly: Assembly) {
        var registry = ComponentRegistry()
        registry.register(SinkFamily.self, SinkFamily.specs)
        let check = ConfigurationCheck(
            document: try ConfigDocument.parse("use: s\nanalytics:\n  s: \(yaml)\n", file: "f", environment: [:]),
            registry: registry, sections: [.required("use", .component(SinkFamily.self), "The sink under test.")])
        let plan = check.root.component("use", SinkFamily.self)
        _ = try check.finish()
        var resources = ComponentResources()
        resources.set(LogRecorder().logger)
        let assembly = Assembly(resources: resources)
        return (try plan.instantiate(in: assembly), assembly)
    }
}
