import ArgumentParser
import Configuration
import Glibc
import Networking
import Service
import TestSupport
import Testing

@testable import larder

@Suite(.timeLimit(.minutes(1)))
struct HealthcheckTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `exit 0 while the service is well`() async throws {
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

    @Test func `exit 1 and one line while there is nothing to serve; the other probe may still be well`() async throws {
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

    @Test func `exit 0 while a service with TLS is well`() async throws {
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

    @Test func `exit 1 and one line where nobody listens`() async throws {
        var settings = ProcessSettings(upstream: "127.0.0.1:1")
        settings.adminListen = "127.0.0.1:\(try FreePort.pick())"
        let result = try await LarderProcess.run(
            ["healthcheck", "--config", try settings.write(in: directory)], in: directory)
        #expect(result.status == 1)
        #expect(result.error.hasPrefix("larder: http://\(settings.adminListen)/healthz: the connection was refused"))
        #expect(result.error.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ("0.0.0.0:8080", "127.0.0.1:8080"), ("[::]:8080", "127.0.0.1:8080"), ("10.0.0.7:81", "10.0.0.7:81"),
        ("localhost:82", "localhost:82"),
    ])
    func `an address that means every interface is probed on the loopback one`(listen: String, asked: String) throws {
        #expect("\(try #require(NetworkAddress(listen)).reachable)" == asked)
    }

    @Test(arguments: [
        ("serve: a", "127.0.0.1:9090"), ("admin: { listen: 127.0.0.1:81 }", "127.0.0.1:81"),
        ("admin: { listen: 127.0.0.1:82 }\nhttp: { listn: x, tls: { certificate: gone.pem } }", "127.0.0.1:82"),
    ])
    func `the port for operators is probed, whatever else is wrong with the file`(config: String, asked: String) throws
    {
        #expect("\(try port(config))" == asked)
    }

    @Test func `a port that cannot be read is reported with all other errors`() throws {
        #expect {
            try port("admin: { listen: here }")
        } throws: { error in
            "\(error)".contains("1:18: error: \"listen\": bad address \"here\"")
                && "\(error)".contains("missing \"serve\" at the top level")
        }
    }

    private func port(_ config: String) throws -> NetworkAddress {
        let fixture = try CommandFixture()
        return try ConfigOption.parse(["--config", try fixture.config(config)]).operators(in: fixture.environment)
            .listen
    }
}
