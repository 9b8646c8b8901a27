import FileSystem
import Networking
import Providers
import TestSupport
import Testing

@testable import Service

/// Reloads while a request waits for its upstream.
@Suite(.timeLimit(.minutes(1)))
struct ReloadUnderWayTests {
    private static let reloaded = "notice: reloaded"

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

    private func with(_ body: (Stand, GatedUpstream) async throws -> Void) async throws {
        let upstream = GatedUpstream()
        defer { upstream.close() }
        try await Stand.with { stand in try await body(stand, upstream) }
    }

    /// Puts the graph whose sink is `old` into force, closes the upstream, and runs a test while a request waits for it.
    private func withWaiting(
        _ body: (Stand, GatedUpstream, Task<HTTPClientResponse, any Error>) async throws -> Void
    ) async throws {
        try await with { stand, upstream in
            try await stand.reload(Self.yaml(upstream.address, stand, events: "old"), until: Self.reloaded)
            let answered = upstream.requests
            upstream.gate.close()
            let (url, client) = (try stand.url("/products"), stand.shop.client)
            let waiting = Task { try await Self.get(url, client) }
            await upstream.wait(forRequests: answered + 1)
            try await body(stand, upstream, waiting)
            let answer = try await waiting.value
            #expect(answer.status == 200)
            #expect(answer.text.contains(GatedUpstream.name(of: answered + 1)))
            try await eventually { try stand.eventsIfAny(in: "old.jsonl") == ["old"] }
        }
    }

    @Test func `a request ends on the graph it began on, whose sink closes after it`() async throws {
        try await withWaiting { stand, upstream, waiting in
            try await stand.reload(Self.yaml(stand.shop.address, stand, events: "new"), until: Self.reloaded)
            let after = try await stand.get("/products")
            #expect(after.status == 200)
            #expect(!after.text.contains("edition"))
            #expect(try stand.eventsIfAny(in: "old.jsonl") == [])
            upstream.gate.open()
            _ = try await waiting.value
            try await eventually { try stand.eventsIfAny(in: "old.jsonl") == ["old"] }
            try await stand.stop()
            #expect(try stand.events(in: "new.jsonl") == ["new"])
        }
    }

    @Test func `a sink taken over closes after the last request of every graph that had it`() async throws {
        try await withWaiting { stand, upstream, _ in
            try await stand.reload(Self.yaml(stand.shop.address, stand, events: "old"), until: Self.reloaded)
            try await stand.reload(Self.yaml(stand.shop.address, stand, events: "new"), until: Self.reloaded)
            #expect(try await stand.get("/products").status == 200)
            upstream.gate.open()
            let retired = try stand.parts.retired
            try await eventually { retired.count == 0 }
        }
    }

    @Test func `a replaced graph with a request under way is closed when the service stops`() async throws {
        try await withWaiting { stand, upstream, _ in
            try await stand.reload(Self.yaml(stand.shop.address, stand, events: "new"), until: Self.reloaded)
            let log = stand.log
            async let opened: Void = Self.open(upstream.gate, after: "notice: draining", log)
            try await stand.stop()
            await opened
            #expect(try stand.events(in: "old.jsonl") == ["old"])
        }
    }

    @Test func `a refresh in the background ends on the graph it began on, whose sink closes after it`() async throws {
        try await with { stand, upstream in
            let old = Self.yaml(upstream.address, stand, events: "old", memory: true)
            try await stand.reload(old, until: Self.reloaded)
            let answered = upstream.requests
            upstream.gate.close()
            stand.clock.advance(by: .seconds(15))
            #expect(try await stand.get("/products").headers.catalogueAge == "15")
            await upstream.wait(forRequests: answered + 1)

            let new = Self.yaml(stand.shop.address, stand, events: "new", memory: true)
            try await stand.reload(new, until: Self.reloaded)
            let retired = try stand.parts.retired
            #expect(retired.count > 0)
            upstream.gate.open()
            try await eventually { try stand.eventsIfAny(in: "old.jsonl") == ["old", "old"] }
            try await eventually { retired.count == 0 }
        }
    }
}

extension Stand {
    /// The events of a file that need not exist.
    fileprivate func eventsIfAny(in file: String) throws -> [String] {
        Files.exists(directory(file)) ? try events(in: file) : []
    }
}

@Suite(.timeLimit(.minutes(2)))
struct ReloadLeakTests {
    /// Weak references to a graph that was in force.
    private struct Trace {
        weak var edition: Edition?
        weak var graphUse: GraphUse?

        init(_ edition: Edition) {
            self.edition = edition
            graphUse = edition.graph.graphUse
        }

        var isGone: Bool { edition == nil && graphUse == nil }
    }

    private static let rounds = 20

    private static let callers = [
        [], [HTTPHeader("X-User", "u1")], [HTTPHeader("X-User", "u3"), HTTPHeader("X-Tier", "gold")],
    ]

    /// A graph with every component that runs a job or keeps state over reloads; odd rounds differ from
    /// even ones.
    private static func yaml(_ stand: Stand, round: Int) -> String {
        let isOdd = !round.isMultiple(of: 2)
        let shop = stand.shop.address
        return """
            http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
            admin: { listen: 127.0.0.1:0 }
            stores: { disk: { type: json_file, directory: "\(stand.directory("store"))" } }
            analytics: { events: { type: file, path: "\(stand.directory(isOdd ? "odd.jsonl" : "even.jsonl"))" } }
            monitors:
              door: \(isOdd ? "{ type: tcp, address: \"\(shop)\", interval: 10ms }" : "{ type: always }")
            providers:
              shop: { type: http, timeout: 20s, request: { base_url: "http://\(shop)", path: /products } }
              saved: { type: caching, store: disk, upstream: { type: validated, baseline: disk, upstream: shop } }
              limited: { type: concurrency_limit, max: 9, upstream: { type: timeout, after: 20s, upstream: saved } }
              patient: { type: retry, base: \(isOdd ? "1ms" : "2ms"), upstream: limited }
              careful: { type: circuit_breaker, failures: 100, upstream: patient }
              remote: { type: analytics, sink: events, event: asked, upstream: careful }
              either: { type: reachability, monitor: door, remote: remote, local: { type: stored, store: disk } }
              kept: { type: memory, ttl: \(isOdd ? 5 : 7)ms, hold_off: 1ms, refresh: background, upstream: either }
              tiers: { type: audience, header: X-Tier, cases: { gold: kept }, otherwise: kept }
              front: { type: memory, ttl: 10ms, upstream: { type: merge, providers: [kept, tiers] } }
              top: { type: ab_test, experiment: banner, subject: X-User, sink: events, a: front, b: kept }
            serve: top
            """
    }

    @Test func `nothing of a replaced graph is left`() async throws {
        try await Stand.with { stand in
            let parts = try stand.parts
            var traces: [Trace] = []
            for round in 0..<Self.rounds {
                traces.append(Trace(parts.current.edition))
                try await stand.reload(Self.yaml(stand, round: round), until: "notice: reloaded")
                stand.clock.advance(by: .milliseconds(12))
                for headers in Self.callers {
                    #expect(try await stand.get("/products", headers: headers).status == 200)
                }
                if round.isMultiple(of: 5) {
                    try await stand.reload("serve: nobody", until: "error: reload refused, the old config stays")
                }
            }
            let left = traces
            try await eventually { left.allSatisfy(\.isGone) }
            try await eventually { parts.retired.count == 0 }
            try await eventually { parts.jobs.count == parts.current.edition.backgroundJobs.count }
            #expect(!parts.current.edition.graph.backgroundJobs.isEmpty)
            #expect(parts.current.edition.number == Self.rounds + 1)
        }
    }
}
