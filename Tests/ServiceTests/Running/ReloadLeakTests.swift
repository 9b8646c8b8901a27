import Networking
import Providers
import TestSupport
import Testing

@testable import Service

@Suite("What reloads leave behind", .timeLimit(.minutes(2)))
struct ReloadLeakTests {
    /// A graph that was in force, and does not live on by being looked at.
    private struct Trace {
        weak var edition: Edition?
        weak var tenancy: GraphTenancy?

        init(_ edition: Edition) {
            self.edition = edition
            tenancy = edition.graph.tenancy
        }

        var isGone: Bool { edition == nil && tenancy == nil }
    }

    private static let rounds = 20

    private static let callers = [
        [], [HTTPHeader("X-User", "u1")], [HTTPHeader("X-User", "u3"), HTTPHeader("X-Tier", "gold")],
    ]

    /// Every component that runs something of its own or keeps a state over reloads; in odd rounds otherwise than in
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
              saved: { type: caching, store: disk, upstream: { type: validated, upstream: shop } }
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

    @Test("Of a graph that was replaced nothing is left: no edition, no provider, no job, nothing to close")
    func nothing() async throws {
        try await Stand.with { stand in
            let subjects = try stand.subjects
            var traces: [Trace] = []
            for round in 0..<Self.rounds {
                traces.append(Trace(subjects.current.edition))
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
            try await eventually { subjects.retired.count == 0 }
            try await eventually { subjects.jobs.count == subjects.current.edition.graph.backgroundJobs.count }
            #expect(!subjects.current.edition.graph.backgroundJobs.isEmpty)
            #expect(subjects.current.edition.number == Self.rounds + 1)
        }
    }
}
