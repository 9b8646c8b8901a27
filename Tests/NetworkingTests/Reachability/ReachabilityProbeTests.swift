internal import TestSupport
internal import Testing

@testable internal import Networking

@Suite(.timeLimit(.minutes(1)))
struct ReachabilityProbeTests {
    @Test func `tcp succeeds where somebody listens, leaves no connection, and fails where nobody does`() async throws {
        try await withClient(against: { $0.waitForClose() }) { client, upstream in
            let probe = TCPReachabilityProbe(
                client: client, host: "127.0.0.1", port: upstream.port, timeout: .seconds(20))
            #expect(await probe.problem() == nil)
            await upstream.waitUntilIdle()
            let nobody = TCPReachabilityProbe(
                client: client, host: "127.0.0.1", port: LoopbackSocket.closedPort(), timeout: .seconds(20))
            let problem = await nobody.problem()
            #expect(problem?.contains("the connection was refused") == true)
        }
    }

    @Test func `tcp gives up after its timeout`() async throws {
        let listener = UnansweringListener()
        try await withClient { client in
            let probe = TCPReachabilityProbe(
                client: client, host: "127.0.0.1", port: listener.port, timeout: .milliseconds(200))
            let took = await ContinuousClock().measure {
                #expect(await probe.problem() != nil)
            }
            #expect(took < .seconds(20))
        }
    }

    @Test(arguments: [(199, false), (200, true), (204, true), (302, true), (399, true), (404, false), (503, false)])
    func `http goes by the status, and does not follow redirects`(status: Int, isExpected: Bool) async throws {
        // 1xx is no final status, so a 199 never gets anywhere: the probe ends at its timeout.
        let timeout: Duration = status < 200 ? .milliseconds(300) : .seconds(20)
        let script = answering { $0.respond(status: "\(status) X", headers: "Location: http://127.0.0.1:1/\r\n") }
        try await withClient(against: script) { client, upstream in
            let probe = HTTPReachabilityProbe(client: client, url: upstream.url, expected: 200...399, timeout: timeout)
            let problem = await probe.problem()
            #expect((problem == nil) == isExpected)
            if status >= 400 { #expect(problem == "\(status) from \(upstream.url)") }
        }
    }

    @Test func `http keeps its connection for the next probe, and does not choke on a large body`() async throws {
        let script = answering { $0.respond(body: [UInt8](repeating: 1, count: 10_000)) }
        try await withClient(against: script) { client, upstream in
            let probe = HTTPReachabilityProbe(
                client: client, url: upstream.url, expected: 200...200, timeout: .seconds(20))
            for _ in 0..<5 { #expect(await probe.problem() == nil) }
            #expect(upstream.acceptedCount == 1)
        }
        try await withClient(against: answering { $0.respond(body: [UInt8](repeating: 1, count: 1_000_000)) }) {
            client, upstream in
            let probe = HTTPReachabilityProbe(
                client: client, url: upstream.url, expected: 200...200, timeout: .seconds(20))
            #expect(await probe.problem() == nil)
        }
    }
}
