import Concurrency
import FileSystem
import Glibc
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct StopUnderLoadTests {
    private static let keepers = 6
    private static let newcomers = 4

    @Test func `not one request fails, readiness says so at once, and every event is written`() async throws {
        let directory = try TemporaryDirectory()
        let (shop, shopPort) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
        var settings = ProcessSettings(upstream: "127.0.0.1:\(shopPort)")
        (settings.drainDelay, settings.drainDeadline) = ("1500ms", "20s")
        settings.serve = "{ type: analytics, sink: events, event: products_seen, upstream: storefront }"
        let service = try LarderProcess(["--config", try settings.write(in: directory)], in: directory)
        defer { service.signal(SIGKILL) }
        let ports = [try await service.logged("serving", "port"), try await service.logged("serving", "admin_port")]
        let load = Load(port: ports[0])
        try await Visitor.with { visitor in
            try await eventually { try await visitor.get(ports[0], "/readyz").status == 200 }
            await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<Self.keepers { group.addTask { await load.askOnOneConnection() } }
                for _ in 0..<Self.newcomers { group.addTask { await load.askOnNewConnections() } }
                group.addTask { try await stop(service, ports, visitor, load) }
                while let result = await group.nextResult() {
                    if case .failure(let error) = result { Issue.record(error) }
                }
            }
        }
        #expect(await service.exit() == .init(status: 0, signal: nil))
        #expect(load.failures == [])
        #expect(load.lastAnswers == Self.keepers)
        let events = try Files.read(directory(settings.events)).split(separator: UInt8(ascii: "\n"))
        #expect(events.count { String(decoding: $0, as: UTF8.self).contains(#""products_seen""#) } == load.answers)
        #expect(service.log.last?["message"] == "stopped")
        #expect(service.count(of: "draining") == 1)
        #expect(service.error == "")
        #expect(service.count(of: "connections were cut off") == 0)
    }

    /// Waits for some load, tells the service to stop, and looks at its readiness.
    private func stop(_ service: LarderProcess, _ ports: [Int], _ visitor: Visitor, _ load: Load) async throws {
        try await eventually { load.answers > 500 }
        service.signal(SIGTERM)
        for port in ports {
            try await eventually { try await visitor.get(port, "/readyz").status == 503 }
        }
        #expect(try await visitor.get(ports[0], "/readyz").text == "draining\n")
        #expect(try await visitor.get(ports[0], "/livez").status == 200)
        #expect(service.isRunning)
        let before = load.answers
        try await eventually { load.answers > before + 50 }
    }
}

/// Clients that ask as fast as they are answered, and what became of their requests.
private final class Load: Sendable {
    private struct State {
        var answers = 0
        var lastAnswers = 0
        var failures: [String] = []
    }

    private let port: Int
    private let state = Mutex(State())

    init(port: Int) {
        self.port = port
    }

    /// The number of requests with a good answer.
    var answers: Int { state.withLock(\.answers) }
    /// The number of kept connections that the server ended with an answer.
    var lastAnswers: Int { state.withLock(\.lastAnswers) }
    var failures: [String] { state.withLock(\.failures) }

    /// Asks on one connection until an answer ends it.
    func askOnOneConnection() async {
        guard let client = try? await ClientCrowd(count: 1, port: port) else { return fail("no connection") }
        defer { client.leave() }
        while true {
            await client.send("/products?limit=10", by: 0)
            guard let answer = await client.answers()[0] else { return fail("no answer on a connection that was kept") }
            note(answer)
            if answer.headers["connection"] == "close" { return state.withLock { $0.lastAnswers += 1 } }
        }
    }

    /// Asks on one connection after the other until there are no more to be had.
    func askOnNewConnections() async {
        while let client = try? await ClientCrowd(count: 1, port: port) {
            defer { client.leave() }
            await client.send("/products?limit=10", by: 0)
            if let answer = await client.answers()[0] {
                note(answer)
            } else if (try? await ClientCrowd(count: 1, port: port)) != nil {
                // A port that is closing may accept a connection and never serve it.
                fail("no answer on a new connection")
            }
        }
    }

    private func note(_ answer: RawResponse) {
        state.withLock { state in
            state.answers += 1
            if answer.status != 200 { state.failures.append("status \(answer.status)") }
        }
    }

    private func fail(_ text: String) {
        state.withLock { $0.failures.append(text) }
    }
}
