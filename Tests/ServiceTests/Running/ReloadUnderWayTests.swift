import FileSystem
import Networking
import TestSupport
import Testing

@testable import Service

/// Reloads while a request waits for its upstream.
@Suite("Reloading under a request", .timeLimit(.minutes(1)))
struct ReloadUnderWayTests {
    /// A graph in which each request asks the upstream itself, or a memory does, and an event is logged after it.
    private static func yaml(_ upstream: String, _ stand: Stand, events: String, memory: Bool = false) -> String {
        let http = #"{ type: http, timeout: 20s, request: { base_url: "http://\#(upstream)", path: /products } }"#
        let counted = "{ type: analytics, sink: \(events), event: \(events), upstream: \(http) }"
        let kept = "{ type: memory, ttl: 10s, stale_while_revalidate: 20s, upstream: \(counted) }"
        return """
            http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
            admin: { listen: 127.0.0.1:0 }
            analytics:
              \(events): { type: file, path: "\(stand.directory.path)/\(events).jsonl" }
            serve: \(memory ? kept : counted)
            """
    }

    private static func get(_ url: String, _ client: HTTPClient) async throws -> HTTPClientResponse {
        try await client.send(HTTPClientRequest(url: url, limits: .wide))
    }

    private static func open(_ gate: Gate, after line: String, _ log: LogRecorder) async {
        await log.wait(for: line)
        gate.open()
    }

    @Test("A request ends on the graph that it began on, whose sink is closed after it; the next has the new graph")
    func underWay() async throws {
        let upstream = GatedUpstream()
        defer { upstream.close() }
        try await Stand.with { stand in
            let reloaded = "notice: reloaded"
            try await stand.reload(Self.yaml(upstream.address, stand, events: "old"), until: reloaded)
            let answered = upstream.requests
            upstream.gate.close()
            let (url, client) = (try stand.url("/products"), stand.shop.client)
            async let waiting = Self.get(url, client)
            await upstream.wait(forRequests: answered + 1)

            try await stand.reload(Self.yaml(stand.shop.address, stand, events: "new"), until: reloaded)
            let after = try await stand.get("/products")
            #expect(after.status == 200)
            #expect(!after.text.contains("edition"))
            #expect(try stand.eventsIfAny(in: "old.jsonl") == [])

            upstream.gate.open()
            let before = try await waiting
            #expect(before.status == 200)
            #expect(before.text.contains(GatedUpstream.name(of: answered + 1)))
            try await eventually { try stand.eventsIfAny(in: "old.jsonl") == ["old"] }
            try await stand.stop()
            #expect(try stand.events(in: "new.jsonl") == ["new"])
        }
    }

    @Test("A sink that was taken over is closed after the last request of every graph that had it")
    func twoReloads() async throws {
        let upstream = GatedUpstream()
        defer { upstream.close() }
        try await Stand.with { stand in
            let reloaded = "notice: reloaded"
            try await stand.reload(Self.yaml(upstream.address, stand, events: "old"), until: reloaded)
            let answered = upstream.requests
            upstream.gate.close()
            let (url, client) = (try stand.url("/products"), stand.shop.client)
            async let waiting = Self.get(url, client)
            await upstream.wait(forRequests: answered + 1)

            try await stand.reload(Self.yaml(stand.shop.address, stand, events: "old"), until: reloaded)
            try await stand.reload(Self.yaml(stand.shop.address, stand, events: "new"), until: reloaded)
            #expect(try await stand.get("/products").status == 200)
            upstream.gate.open()
            #expect(try await waiting.status == 200)
            try await eventually { try stand.eventsIfAny(in: "old.jsonl") == ["old"] }
            let retired = try stand.subjects.retired
            try await eventually { retired.count == 0 }
        }
    }

    @Test("A refresh behind an answer ends on the graph that it began on, whose sink is closed after it")
    func refresh() async throws {
        let upstream = GatedUpstream()
        defer { upstream.close() }
        try await Stand.with { stand in
            let reloaded = "notice: reloaded"
            try await stand.reload(Self.yaml(upstream.address, stand, events: "old", memory: true), until: reloaded)
            let answered = upstream.requests
            upstream.gate.close()
            stand.clock.advance(by: .seconds(15))
            #expect(try await stand.get("/products").headers["Age"] == "15")
            await upstream.wait(forRequests: answered + 1)

            let new = Self.yaml(stand.shop.address, stand, events: "new", memory: true)
            try await stand.reload(new, until: reloaded)
            #expect(try stand.subjects.retired.count > 0)
            upstream.gate.open()
            try await eventually { try stand.eventsIfAny(in: "old.jsonl") == ["old", "old"] }
            let retired = try stand.subjects.retired
            try await eventually { retired.count == 0 }
        }
    }

    @Test("The service stops while such a request and its graph are left: the graph is closed all the same")
    func stops() async throws {
        let upstream = GatedUpstream()
        defer { upstream.close() }
        try await Stand.with { stand in
            try await stand.reload(Self.yaml(upstream.address, stand, events: "old"), until: "notice: reloaded")
            let answered = upstream.requests
            upstream.gate.close()
            let (url, client) = (try stand.url("/products"), stand.shop.client)
            async let waiting = Self.get(url, client)
            await upstream.wait(forRequests: answered + 1)
            try await stand.reload(Self.yaml(stand.shop.address, stand, events: "new"), until: "notice: reloaded")
            let log = stand.log
            async let opened: Void = Self.open(upstream.gate, after: "notice: draining", log)
            try await stand.stop()
            await opened
            #expect(try await waiting.status == 200)
            #expect(try stand.events(in: "old.jsonl") == ["old"])
        }
    }
}

extension Stand {
    /// As `events(in:)`; none when there is no such file yet.
    fileprivate func eventsIfAny(in file: String) throws -> [String] {
        Files.exists(directory(file)) ? try events(in: file) : []
    }
}
