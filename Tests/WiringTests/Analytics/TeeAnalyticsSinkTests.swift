internal import Analytics
internal import Configuration
internal import FileSystem
internal import Glibc
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(1)))
struct TeeAnalyticsSinkTests {
    private let log = LogRecorder()
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `every sink gets every event, whether it stands there or is referred to`() async throws {
        let file = directory("events.jsonl")
        try await withResources(log) { resources in
            let (sink, assembly) = try makeSink(
                "{ type: tee, sinks: [{ type: log }, disk] }", others: "  disk: { type: file, path: \(file) }\n",
                resources: resources)
            for event in makeEvents(0..<3) { sink.log(event) }
            await assembly.shutDown()
            #expect(statistics(of: assembly).map(\.sent) == Array(repeating: ["0": 1, "1": 1, "2": 1], count: 2))
            #expect(try Files.read(file).count { $0 == UInt8(ascii: "\n") } == 3)
        }
    }

    @Test func `one that fails is nothing to the others`() async throws {
        try await withResources(log) { resources in
            let (sink, assembly) = try makeSink(
                "{ type: tee, sinks: [{ type: file, path: /dev/null/x }, { type: log }] }", resources: resources)
            sink.log(makeEvent("a"))
            await assembly.shutDown()
            #expect(statistics(of: assembly).map(\.dropped) == [[.writeFailed: 1], [:]])
            #expect(statistics(of: assembly).map(\.sent) == [[:], ["a": 1]])
        }
    }

    @Test
    func `one that hangs in its disk costs nobody anything: log returns, its queue is bounded, the others get on`()
        async throws
    {
        let pipe = directory("pipe")
        let result = unsafe mkfifo(pipe, 0o600)
        try #require(result == 0)
        let clock = ManualClock()
        try await withResources(log, AnalyticsEnvironment(clock: clock)) { resources in
            let (sink, assembly) = try makeSink(
                "{ type: tee, sinks: [{ type: file, path: \(pipe) }, { type: file, path: \(directory("good")) }] }",
                resources: resources)
            sink.log(makeEvent("first"))
            // Taken out of its queue, it is on its way into the pipe, which nobody reads.
            await yieldUntil { statistics(of: assembly)[0].queued == 0 }
            for event in makeEvents(0..<10_005) {
                sink.log(event)
                if statistics(of: assembly)[1].queued > 5_000 { await settled(assembly) }
            }
            #expect(statistics(of: assembly)[0].dropped == [.queueFull: 5])
            #expect(statistics(of: assembly)[0].queued == 10_000)
            await yieldUntil { sent(assembly, 1) >= 10_006 }
            let hooks = assembly.shutdownHooks
            let closing = Task { await hooks.close() }
            await clock.waitForSleepers(2)
            await yieldUntil {
                clock.advance(by: .seconds(2))
                return statistics(of: assembly)[0].dropped[.closed] != nil
            }
            await closing.value
            #expect(statistics(of: assembly)[0].dropped == [.queueFull: 5, .closed: 10_001])
            #expect(statistics(of: assembly)[1].dropped == [:])
            close(unsafe open(pipe, O_RDONLY | O_NONBLOCK))
        }
    }

    private func sent(_ assembly: Assembly, _ index: Int) -> Int {
        statistics(of: assembly)[index].sent.values.reduce(0, +)
    }

    private func settled(_ assembly: Assembly) async {
        await yieldUntil { statistics(of: assembly)[1].queued == 0 }
    }

    @Test(arguments: [
        ("[]", "\"sinks\" is empty"), ("[a, a]", "\"a\" would get every event more than once"),
        ("[a, { type: tee, sinks: [a, b] }]", "\"a\" would get every event more than once"),
    ])
    func `what makes no sense is said`(sinks: String, problem: String) throws {
        let found = try WiringTests.problems(
            withSink: "{ type: tee, sinks: \(sinks) }", others: "  a: { type: log }\n  b: { type: log }\n")
        #expect(found.filter { !$0.hasSuffix("is never used") } == ["f:3:26: error: \(problem)"])
    }

    @Test func `sinks that lead to each other are said to`() throws {
        let found = try WiringTests.problems(
            withSink: "{ type: tee, sinks: [t] }", others: "  t: { type: tee, sinks: [s, { type: log }] }\n")
        #expect(found.count == 1)
        #expect(found.first?.contains("s → t → s") == true)
    }
}
