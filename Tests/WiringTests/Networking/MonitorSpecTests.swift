internal import Configuration
internal import Concurrency
internal import Testing
internal import TestSupport

@testable internal import Networking
@testable internal import Wiring

@Suite(.timeLimit(.minutes(1)))
struct MonitorSpecTests {
    @Test(arguments: [
        ("{ type: tcp }", "f:2:6: error: missing \"address\" in \"tcp\""),
        (
            "{ type: tcp, address: \"h:1\", interval: 1ms }",
            "f:2:45: error: \"interval\": \"1ms\" is out of range; it must be at least 10ms"
        ),
        (
            "{ type: tcp, address: \"h:1\", fall: 0 }",
            "f:2:41: error: \"fall\": \"0\" is out of range; it must be at least 1"
        ),
        (
            "{ type: http, url: \"http://h/\", expect: good }",
            "f:2:46: error: bad status range; write it like 200-399 or 204"
        ),
        (
            "{ type: http, url: \"http://h/ü\" }",
            "f:2:25: error: \"url\" holds characters that must be percent-encoded"
        ),
    ])
    func `what is wrong is said where it is`(yaml: String, problem: String) {
        #expect(networkProblems("monitors:\n  m: \(yaml)\n") == [problem])
    }

    @Test(arguments: ["tcp", "http"])
    func `a configured tcp monitor polls in the background and reports by its label`(type: String) async throws {
        let upstream = ScriptedUpstream(answering { $0.respond() })
        defer { upstream.stop() }
        try await withClient { client in
            let clock = ManualClock()
            let changes = Observed<[String]>([])
            let place = type == "tcp" ? "address: \"127.0.0.1:\(upstream.port)\"" : "url: \"\(upstream.url)\""
            var resources = ComponentResources()
            resources.set(client)
            resources.set(
                MonitorEnvironment(
                    clock: clock,
                    onChange: { name, isReachable in changes.update { $0.append("\(name) \(isReachable)") } }))
            let (monitor, assembly) = try makeMonitor(
                "{ type: \(type), \(place), interval: 2s, timeout: 20s, fall: 1, rise: 1 }", resources: resources)
            let job = try #require(assembly.backgroundJobs.first)
            #expect(job.name == "monitor m")
            let task = Task { try await job.run() }
            await clock.waitForSleepers()
            #expect(monitor.isReachable)
            upstream.stop()
            await upstream.waitUntilStopped()
            clock.advance(by: .seconds(2))
            await clock.waitForSleepers()
            #expect(!monitor.isReachable)
            #expect(changes.value == ["m false"])
            task.cancel()
            try await task.value
        }
    }

    @Test(arguments: [("always", true), ("never", false)])
    func `always and never do not learn`(type: String, isReachable: Bool) throws {
        let (monitor, assembly) = try makeMonitor("{ type: \(type) }", resources: ComponentResources())
        for _ in 0..<5 { monitor.recordFailure("refused") }
        #expect(monitor.isReachable == isReachable)
        for _ in 0..<5 { monitor.recordSuccess() }
        #expect(monitor.isReachable == isReachable)
        #expect(assembly.backgroundJobs.isEmpty)
    }

    @Test(arguments: ["200-399", "204", "200-200"])
    func `status ranges`(_ text: String) {
        #expect(StatusRange(text)?.statuses.contains(204) == (text != "200-200"))
    }

    @Test(arguments: ["", "-", "200-", "399-200", "99", "600", "2xx", "200-300-400", "+20"])
    func `texts that are no status ranges`(_ text: String) {
        #expect(StatusRange(text)?.statuses == nil)
    }
}
