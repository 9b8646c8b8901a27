import TestSupport
import Glibc
import Networking
import Testing

@Suite("larder healthcheck", .timeLimit(.minutes(1)))
struct HealthcheckTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("Exit 0 while the service is well")
    func well() async throws {
        let (shop, shopPort) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
        var settings = ProcessSettings(upstream: "127.0.0.1:\(shopPort)")
        let service = try LarderProcess(["serve", "--config", try settings.write(in: directory)], in: directory)
        defer { service.signal(SIGKILL) }
        let port = try await service.logged("serving", "admin_port")
        settings.adminListen = "0.0.0.0:\(port)"
        let config = try settings.write(in: directory)
        try await Visitor.with { visitor in
            try await eventually { try await visitor.get(port, "/readyz").status == 200 }
        }
        let result = try await LarderProcess.run(["healthcheck", "--config", config], in: directory)
        #expect(result.status == 0)
        #expect(result.error == "")
        #expect(result.output == [])
    }

    @Test("Exit 1 and one line while there is nothing to serve; the other probe may still be well")
    func notReady() async throws {
        var settings = ProcessSettings(upstream: "127.0.0.1:\(try FreePort.pick())")
        let service = try LarderProcess(["serve", "--config", try settings.write(in: directory)], in: directory)
        defer { service.signal(SIGKILL) }
        let port = try await service.logged("serving", "admin_port")
        settings.adminListen = "127.0.0.1:\(port)"
        let config = try settings.write(in: directory)
        let result = try await LarderProcess.run(["healthcheck", "--config", config], in: directory)
        #expect(result.status == 1)
        #expect(result.error.hasPrefix("larder: http://127.0.0.1:\(port)/healthz: status 503: no catalogue to serve: "))
        let live = try await LarderProcess.run(["healthcheck", "--path", "/livez", "--config", config], in: directory)
        #expect(live.status == 0)
    }

    @Test("Exit 0 while a service with TLS is well")
    func encrypted() async throws {
        var settings = ProcessSettings(upstream: "127.0.0.1:\(try FreePort.pick())")
        settings.tls = TestCertificate.first.section
        let service = try LarderProcess(["serve", "--config", try settings.write(in: directory)], in: directory)
        defer { service.signal(SIGKILL) }
        settings.adminListen = "127.0.0.1:\(try await service.logged("serving", "admin_port"))"
        let config = try settings.write(in: directory)
        let live = try await LarderProcess.run(["healthcheck", "--path", "/livez", "--config", config], in: directory)
        #expect(live.error == "")
        #expect(live.status == 0)
        let ready = try await LarderProcess.run(["healthcheck", "--config", config], in: directory)
        #expect(ready.status == 1)
        #expect(ready.error.hasPrefix("larder: http://\(settings.adminListen)/healthz: status 503: "))
    }

    @Test("Exit 1 and one line where nobody listens")
    func nobody() async throws {
        var settings = ProcessSettings(upstream: "127.0.0.1:1")
        settings.adminListen = "127.0.0.1:\(try FreePort.pick())"
        let result = try await LarderProcess.run(
            ["healthcheck", "--config", try settings.write(in: directory)], in: directory)
        #expect(result.status == 1)
        #expect(result.error.hasPrefix("larder: http://\(settings.adminListen)/healthz: the connection was refused"))
        #expect(result.error.split(separator: "\n").count == 1)
    }
}
