import FileSystem
import Glibc
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StopTests {
    private static let hastyStop = "stopped at once"
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A service that serves.
    private func started(_ settings: ProcessSettings) async throws -> LarderProcess {
        let service = try LarderProcess(["--config", try settings.write(in: directory)], in: directory)
        _ = try await service.logged("serving", "port")
        return service
    }

    /// With an upstream that is not there.
    private func settings(drainDelay: String = "20s", drainDeadline: String = "40s") throws -> ProcessSettings {
        var settings = ProcessSettings(upstream: "127.0.0.1:\(try FreePort.pick())")
        (settings.drainDelay, settings.drainDeadline) = (drainDelay, drainDeadline)
        return settings
    }

    private func reason(of service: LarderProcess) -> String? {
        let lines = service.log.filter { $0["message"]?.string == Self.hastyStop }
        return lines.count == 1 ? lines[0]["reason"]?.string : nil
    }

    @Test(arguments: [
        (SIGTERM, SIGTERM, Int32(143), "a second SIGTERM came while draining"),
        (SIGINT, SIGINT, 130, "a second SIGINT came while draining"),
        (SIGINT, SIGTERM, 143, "SIGTERM came after SIGINT while draining"),
    ])
    func `a second signal to stop ends a service that drains at once, with the signal's status and a word why`(
        first: Int32, second: Int32, status: Int32, words: String
    ) async throws {
        let service = try await started(try settings())
        defer { service.signal(SIGKILL) }
        service.signal(first)
        try await eventually { service.count(of: "draining") == 1 }
        let told = ContinuousClock.now
        service.signal(second)
        #expect(await service.exit() == .init(status: status, signal: nil))
        #expect(ContinuousClock.now - told < .seconds(10))
        #expect(reason(of: service) == words)
        #expect(service.count(of: "stopped") == 0)
        #expect(service.error == "")
    }

    @Test func `a signal before the service serves is kept: it drains as soon as it serves`() async throws {
        let service = try await starting(try settings(drainDelay: "1ms"))
        defer { service.signal(SIGKILL) }
        service.signal(SIGTERM)
        #expect(await service.exit() == .init(status: 0, signal: nil))
        let messages = service.log.compactMap { $0["message"]?.string }
        let stages = ["serving", "draining", "stopped"]
        #expect(messages.filter(stages.contains) == stages)
    }

    @Test func `a second signal ends also a start that takes its time`() async throws {
        let service = try await starting(try settings())
        defer { service.signal(SIGKILL) }
        service.signal(SIGTERM)
        // Two signals at once may come in either order.
        try await eventually { try !ProcessFigures(of: service.pid).isPending(SIGTERM) }
        service.signal(SIGINT)
        #expect(await service.exit() == .init(status: 130, signal: nil))
        #expect(reason(of: service) == "SIGINT came after SIGTERM while draining")
        #expect(service.count(of: "serving") == 0)
    }

    /// A service that keeps signals already and has a long config to read.
    private func starting(_ settings: ProcessSettings) async throws -> LarderProcess {
        var settings = settings
        settings.sections = String(repeating: "# It takes a while to read all this.\n", count: 500_000)
        let service = try LarderProcess(["--config", try settings.write(in: directory)], in: directory)
        try await eventually { try ProcessFigures(of: service.pid).isCatching(SIGTERM) }
        return service
    }

    @Test func `the deadline ends a service that cannot come to its end, with status 1 and a word why`() async throws {
        let (shop, shopPort) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
        var settings = try settings(drainDelay: "1ms", drainDeadline: "1s")
        settings.upstream = "127.0.0.1:\(shopPort)"
        // Writes to a pipe without a reader wait.
        settings.events = "pipe"
        unsafe mkfifo(directory(settings.events), 0o600)
        let service = try await started(settings)
        defer { service.signal(SIGKILL) }
        let port = try await service.logged("serving", "port")
        try await Visitor.with { visitor in
            try await eventually { try await visitor.get(port, "/products").status == 200 }
        }
        let told = ContinuousClock.now
        service.signal(SIGTERM)
        #expect(await service.exit() == .init(status: 1, signal: nil))
        #expect(ContinuousClock.now - told >= .seconds(1))
        #expect(reason(of: service) == "the drain deadline of 1.0 seconds has passed")
        #expect(service.count(of: "stopped") == 0)
    }

    @Test func `a request that takes too long is cut off in time for all else, and the status is 1`() async throws {
        let (shop, shopPort) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
        var settings = try settings(drainDelay: "1ms", drainDeadline: "5s")
        (settings.upstream, settings.timeout) = ("127.0.0.1:\(shopPort)", "20s")
        try await Visitor.with { visitor in
            _ = try await visitor.get(shopPort, "/_fault?mode=hang", method: "PUT")
            let service = try await started(settings)
            defer { service.signal(SIGKILL) }
            let crowd = try await ClientCrowd(count: 1, port: try await service.logged("serving", "port"))
            defer { crowd.leave() }
            await crowd.send("/products", by: 0)
            try await eventually { try await asked(shopPort, visitor) > 0 }
            service.signal(SIGTERM)
            #expect(await service.exit() == .init(status: 1, signal: nil))
            let cut = service.log.first { $0["message"] == "connections were cut off" }
            #expect(cut?["connections"]?.number?.integer == 1)
            #expect(cut?["requests"]?.number?.integer == 1)
            #expect(service.count(of: "stopped") == 1)
            #expect(service.count(of: Self.hastyStop) == 0)
            #expect(service.error == "")
        }
    }

    @Test func `a command that does not serve ends at a signal as programs do`() async throws {
        let (shop, shopPort) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
        var settings = try settings()
        (settings.upstream, settings.timeout) = ("127.0.0.1:\(shopPort)", "20s")
        let config = try settings.write(in: directory)
        try await Visitor.with { visitor in
            _ = try await visitor.get(shopPort, "/_fault?mode=hang", method: "PUT")
            let fetch = try LarderProcess(["fetch", "--config", config], in: directory)
            defer { fetch.signal(SIGKILL) }
            try await eventually { try await asked(shopPort, visitor) > 0 }
            fetch.signal(SIGTERM)
            #expect(await fetch.exit() == .init(status: nil, signal: SIGTERM))
        }
    }

    /// Counts the requests for products at a practice upstream.
    private func asked(_ shopPort: Int, _ visitor: Visitor) async throws -> Int {
        try await visitor.get(shopPort, "/_fault").json?["requests"]?.number?.integer ?? 0
    }
}
