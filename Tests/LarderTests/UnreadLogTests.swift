import Glibc
import JSON
import Networking
import TestSupport
import Testing

@Suite("A log that nobody reads", .timeLimit(.minutes(2)))
struct UnreadLogTests {
    /// Runs a service whose log is a pipe, until more is lost than the pipe and the service hold; then a test goes on.
    private func withFullPipe(
        _ body: (LarderProcess, UnreadPipe, _ lost: () async throws -> Int) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let pipe = try UnreadPipe(in: directory)
        let shop = try LarderProcess(["upstream", "--listen", "127.0.0.1:0"], in: directory)
        defer { shop.signal(SIGKILL) }
        var settings = ProcessSettings(
            upstream: "127.0.0.1:\(try await shop.logged("practice upstream serving", "port"))")
        let (port, adminPort) = (try FreePort.pick(), try FreePort.pick())
        (settings.listen, settings.adminListen) = ("127.0.0.1:\(port)", "127.0.0.1:\(adminPort)")
        settings.tls = "access_log: all"
        let service = try LarderProcess(
            ["serve", "--config", try settings.write(in: directory)], in: directory, output: pipe.path)
        defer { service.signal(SIGKILL) }
        try await Visitor.with { visitor in
            try await eventually { (try? await visitor.get(port, "/readyz"))?.status == 200 }
            let lost = {
                let metrics = try await visitor.get(adminPort, "/metrics").text
                return metrics.firstMatch(of: #/larder_log_dropped_total\{reason="full"\} ([0-9]+)/#).flatMap {
                    Int($0.1)
                } ?? 0
            }
            try await eventually {
                for _ in 0..<50 {
                    let target = "/products?limit=1&q=" + String(repeating: "x", count: 900)
                    #expect(try await visitor.get(port, target).status == 200)
                }
                return try await lost() > 0
            }
            #expect(try await visitor.get(port, "/products").status == 200)
            try await body(service, pipe, lost)
        }
    }

    @Test("Requests are answered all the same, what is lost is counted, and the service ends in time")
    func stuck() async throws {
        try await withFullPipe { service, _, _ in
            let told = ContinuousClock.now
            service.signal(SIGTERM)
            #expect(await service.exit() == .init(status: 0, signal: nil))
            #expect(ContinuousClock.now - told < .seconds(10))
            #expect(service.error == "")
        }
    }

    @Test("Once it is read again the log goes on, in whole lines, with the number of those that are missing")
    func readAgain() async throws {
        try await withFullPipe { service, pipe, lost in
            let missing = try await lost()
            pipe.startReading()
            service.signal(SIGTERM)
            #expect(await service.exit() == .init(status: 0, signal: nil))
            let lines = await pipe.end().split(separator: UInt8(ascii: "\n"))
            let log = try lines.map { try #require(try JSONParser().parse(Array($0)).object) }
            let told = log.filter { $0["message"] == "log lines dropped" }.compactMap { $0["count"]?.number?.integer }
            #expect(told.reduce(0, +) >= missing)
            #expect(log.last { $0["message"] != "log lines dropped" }?["message"] == "stopped")
            let requests = log.filter { $0["message"] == "request" }
            #expect(requests.allSatisfy { $0["status"]?.number != nil && $0["duration_ms"]?.number?.double != nil })
        }
    }
}
