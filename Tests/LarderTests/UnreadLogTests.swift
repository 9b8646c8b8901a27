import Dispatch
import Glibc
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct UnreadLogTests {
    /// Runs a service whose log is a pipe, until more is lost than the pipe and the service hold; then a test goes on.
    private func withFullPipe(
        _ body: (LarderProcess, UnreadPipe, _ lost: () async throws -> Int) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let pipe = try UnreadPipe(in: directory)
        let (shop, shopPort) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
        var settings = ProcessSettings(upstream: "127.0.0.1:\(shopPort)")
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

    @Test
    func `requests are answered all the same, what is lost is counted, and the service ends in time`() async throws {
        try await withFullPipe { service, _, _ in
            let told = ContinuousClock.now
            service.signal(SIGTERM)
            #expect(await service.exit() == .init(status: 0, signal: nil))
            #expect(ContinuousClock.now - told < .seconds(10))
            #expect(service.error == "")
        }
    }

    @Test
    func `once it is read again the log goes on, in whole lines, with the number of those that are missing`()
        async throws
    {
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

/// A pipe that a process writes to. It is not read until a test starts reading.
private final class UnreadPipe: Sendable {
    /// The path to open for writing.
    let path: String
    private let descriptor: Int32
    private let content = Observed<[UInt8]?>(nil)

    struct Failure: Error {
        let code: Int32
    }

    init(in directory: TemporaryDirectory) throws {
        path = directory("pipe")
        guard unsafe mkfifo(path, 0o600) == 0 else { throw Failure(code: errno) }
        descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// From now on reads all that comes.
    func startReading() {
        _ = fcntl(descriptor, F_SETFL, 0)
        DispatchQueue(label: "pipe").async { [self] in
            let all = readToEnd()
            content.update { $0 = all }
        }
    }

    /// Returns everything that was written, after the writer has ended.
    func end() async -> [UInt8] {
        await content.wait { $0 != nil }
        return content.value ?? []
    }

    private func readToEnd() -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return all }
            all += chunk.prefix(count)
        }
    }
}
