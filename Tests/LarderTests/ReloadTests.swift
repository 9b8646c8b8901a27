import FileSystem
import Glibc
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ReloadTests {
    private static let refusal = "reload refused, the old config stays"
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test
    func `reads the file again: what is bad is logged line by line and changes nothing, what is good is in force`()
        async throws
    {
        let (shop, shopPort) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
        var settings = ProcessSettings(upstream: "127.0.0.1:\(shopPort)")
        let config = try settings.write(in: directory)
        let service = try LarderProcess(["--config", config], in: directory)
        defer { service.signal(SIGKILL) }
        let port = try await service.logged("serving", "port")
        try await Visitor.with { visitor in
            try await eventually { try await visitor.get(port, "/readyz").status == 200 }
            let before = try await visitor.get(port, "/products")

            settings.sections = "log: { level: warn }\npopular: { sales_ovr: 7 }"
            try settings.replace(config, in: directory)
            service.signal(SIGHUP)
            try await eventually { service.count(of: Self.refusal) == 1 }
            let problems = service.log.filter { $0["message"] == "config" }
            #expect(problems.map { $0["level"]?.string } == ["error", "error"])
            #expect(problems.first?["problem"]?.string?.hasPrefix("\(config):1:15: error: ") == true)
            #expect(problems.last?["problem"]?.string?.hasPrefix("\(config):2:12: error: ") == true)
            #expect(try await visitor.get(port, "/products").body == before.body)

            settings.sections = "log: { level: debug }\npopular: { sales_over: 1000000 }"
            try settings.replace(config, in: directory)
            service.signal(SIGHUP)
            try await eventually { service.count(of: "reloaded") == 1 }
            #expect(try await visitor.get(port, "/products").headers["ETag"] != before.headers["ETag"])
            #expect(try await visitor.get(port, "/readyz").status == 200)

            settings.sections = "log: { level: error }"
            try settings.replace(config, in: directory)
            service.signal(SIGHUP)
            try await eventually { try await visitor.get(port, "/products").headers["ETag"] == before.headers["ETag"] }
            #expect(service.count(of: "reloaded") == 1)
        }
        service.signal(SIGTERM)
        #expect(await service.exit() == .init(status: 0, signal: nil))
        #expect(service.error == "")
    }

    @Test func `does not end the service before it is up, and is heeded when it is`() async throws {
        var settings = ProcessSettings(upstream: "127.0.0.1:\(try FreePort.pick())")
        settings.sections = String(repeating: "# It takes a while to read all this.\n", count: 200_000)
        let service = try LarderProcess(["--config", try settings.write(in: directory)], in: directory)
        defer { service.signal(SIGKILL) }
        try await eventually { try ProcessFigures(of: service.pid).isCatching(SIGHUP) }
        service.signal(SIGHUP)
        try await eventually { service.count(of: "reloaded") == 1 }
        service.signal(SIGTERM)
        #expect(await service.exit() == .init(status: 0, signal: nil))
        #expect(service.error == "")
    }
}
