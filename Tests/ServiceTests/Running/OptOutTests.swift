import JSON
import TestSupport
import Testing

@testable import Service

@Suite("Opting out of analytics, over HTTP", .timeLimit(.minutes(1)))
struct OptOutTests {
    private static let kept = "kept: { type: memory, upstream: rest }"

    @Test(
        "A caller who opts out is not counted, and the next one is",
        arguments: [["Sec-GPC": "1"], ["DNT": "1"], ["DNT": "1", "Sec-GPC": "0"]])
    func aboveMemory(wish: [String: String]) async throws {
        let graph = "\(Self.kept)\ntop: { type: analytics, sink: events, event: shown, upstream: kept }"
        try await VariedStand.with(graph) { stand in
            for headers in [[:], wish, wish, ["DNT": "0"], wish] {
                #expect(try await stand.name(headers) == "Rest")
            }
            try await stand.stop()
            #expect(try stand.events().count { $0["event"] == "shown" } == 2)
        }
    }

    @Test("Below memory a refresh is counted, also one that a caller who opts out causes")
    func belowMemory() async throws {
        let graph = """
            counted: { type: analytics, sink: events, event: refreshed, upstream: rest }
            kept: { type: memory, ttl: 30s, stale_while_revalidate: 0s, upstream: counted }
            top: { type: analytics, sink: events, event: shown, upstream: kept }
            """
        try await VariedStand.with(graph) { stand in
            #expect(try await stand.name(["DNT": "1"]) == "Rest")
            stand.clock.advance(by: .seconds(31))
            #expect(try await stand.name(["DNT": "1"]) == "Rest")
            try await stand.stop()
            #expect(try stand.events().map { $0["event"] } == ["refreshed", "refreshed"])
        }
    }

    @Test("An operator who has a request explained is not counted")
    func explained() async throws {
        let graph = """
            \(Self.kept)
            shown: { type: analytics, sink: events, event: shown, upstream: kept }
            top: { type: ab_test, experiment: banner, subject: X-User, sink: events, a: shown, b: gold }
            """
        try await VariedStand.with(graph) { stand in
            for user in ["u3", "u1"] {
                #expect(try await stand.explain(["X-User": user]).json?["outcome"] == "answered")
            }
            try await stand.stop()
            #expect(try stand.events().map { $0["event"] } == [])
        }
    }

    @Test("In one arm of a test only those are counted who are of that arm and did not opt out")
    func inAnArm() async throws {
        let graph = """
            counted: { type: analytics, sink: events, event: gold_shown, upstream: gold }
            top: { type: audience, header: X-Tier, cases: { gold: counted }, otherwise: rest }
            """
        try await VariedStand.with(graph) { stand in
            for headers in [[:], ["X-Tier": "gold"], ["X-Tier": "gold", "Sec-GPC": "1"], ["Sec-GPC": "1"]] {
                _ = try await stand.name(headers)
            }
            try await stand.stop()
            #expect(try stand.events().map { $0["event"] } == ["gold_shown"])
        }
    }

    /// In the experiment `banner`, `u3` is of arm a and `u1` of arm b.
    @Test("An experiment's subjects are exposed once each, unless they opted out, and keep their arm")
    func exposures() async throws {
        let graph = """
            \(Self.kept)
            top: { type: ab_test, experiment: banner, subject: X-User, sink: events, a: kept, b: gold }
            """
        try await VariedStand.with(graph) { stand in
            for _ in 0..<3 {
                #expect(try await stand.name(["X-User": "u3"]) == "Rest")
                #expect(try await stand.name(["X-User": "u1", "DNT": "1"]) == "Gold")
                #expect(try await stand.name() == "Rest")
            }
            #expect(try await stand.name(["X-User": "u1"]) == "Gold")
            try await stand.stop()
            let events = try stand.events()
            #expect(events.map { $0["event"] } == ["experiment_exposure", "experiment_exposure"])
            #expect(events.map { $0["parameters"]?.object?["arm"] } == ["a", "b"])
            #expect(!events.contains { "\($0)".contains("u1") || "\($0)".contains("u3") })
        }
    }
}
