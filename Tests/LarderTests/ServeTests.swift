import TestSupport
import Glibc
import Networking
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ServeTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(arguments: [true, false])
    func `a port that is taken is one line and exit 1`(byProducts: Bool) async throws {
        let (other, port) = try await LarderProcess.upstream(in: directory)
        defer { other.signal(SIGKILL) }
        var settings = ProcessSettings(upstream: "127.0.0.1:\(port)")
        let key = byProducts ? "http.listen" : "admin.listen"
        if byProducts { settings.listen = "127.0.0.1:\(port)" } else { settings.adminListen = "127.0.0.1:\(port)" }
        let result = try await LarderProcess.run(
            ["serve", "--config", try settings.write(in: directory)], in: directory)
        #expect(result.status == 1)
        #expect(result.error == "larder: \(key): cannot listen on 127.0.0.1:\(port): the address is in use\n")
    }

    @Test func `every line of the log is a JSON object with time, level and message`() async throws {
        let port = try FreePort.pick()
        let settings = ProcessSettings(upstream: "127.0.0.1:\(port)")
        let service = try LarderProcess(["serve", "--config", try settings.write(in: directory)], in: directory)
        defer { service.signal(SIGKILL) }
        _ = try await service.logged("serving", "port")
        try await eventually { service.log.contains { $0["message"] == "upstream fails, nothing to serve" } }
        service.signal(SIGINT)
        #expect(await service.exit() == .init(status: 0, signal: nil))
        #expect(service.log.count == service.output.count { $0 == UInt8(ascii: "\n") })
        for line in service.log { #expect(line.keys.prefix(3) == ["timestamp", "level", "message"]) }
        let failures = service.log.filter { $0["message"] == "upstream fails, nothing to serve" }
        #expect(failures.count == 1)
        #expect(failures.first?["reason"] == "refused")
    }

    @Test func `a config's warnings are lines of the log, and nothing is on standard error`() async throws {
        var settings = ProcessSettings(upstream: "127.0.0.1:\(try FreePort.pick())")
        settings.staleWhileRevalidate = "8d"
        let service = try LarderProcess(["serve", "--config", try settings.write(in: directory)], in: directory)
        defer { service.signal(SIGKILL) }
        _ = try await service.logged("serving", "port")
        service.signal(SIGTERM)
        #expect(await service.exit() == .init(status: 0, signal: nil))
        let warning = try #require(service.log.first { $0["message"] == "config" })
        #expect(warning["level"] == "warning")
        #expect(warning["problem"]?.string?.contains("stale_while_revalidate is longer than") == true)
        #expect(service.error == "")
    }
}
