import HTTPServer
import JSON
import Networking
import TestSupport
import Testing

@testable import Service

/// What is meant for one audience must never reach another, wherever answers are kept.
@Suite("Answers that vary, over HTTP", .timeLimit(.minutes(1)))
struct VariantsRoutesTests {
    private static let audience = "{ type: audience, header: x-TIER, cases: { gold: gold }, otherwise: rest }"
    /// Kept above the decision, kept below it, and not kept at all.
    static let graphs = [
        "top: { type: memory, ttl: 30s, upstream: \(audience) }",
        """
        kept_gold: { type: memory, ttl: 30s, upstream: gold }
        kept_rest: { type: memory, ttl: 30s, upstream: rest }
        top: { type: audience, header: X-Tier, cases: { gold: kept_gold }, otherwise: kept_rest }
        """,
        "top: \(audience)",
        "top: { type: memory, refresh: background, upstream: { type: memory, ttl: 20s, upstream: \(audience) } }",
    ]

    @Test("Each audience gets its own products, headers and tag", arguments: graphs)
    func apart(graph: String) async throws {
        try await VariedStand.with(graph) { stand in
            for _ in 0..<3 {
                #expect(try await stand.name(["X-Tier": "gold"]) == "Gold")
                #expect(try await stand.name() == "Rest")
                #expect(try await stand.name(["X-Tier": "Gold"]) == "Rest")
            }
            let gold = try await stand.get("/products", ["X-Tier": "gold"])
            let rest = try await stand.get()
            #expect(gold.headers["ETag"] != rest.headers["ETag"])
            for response in [gold, rest] {
                #expect(response.headers["Vary"] == "Accept-Encoding, X-Tier")
                #expect(response.headers["Cache-Control"]?.hasPrefix("private, max-age=5") == true)
            }
            #expect(try await stand.get("/products/1", ["X-Tier": "gold"]).json?["name"] == "Gold")
            #expect(try await stand.get("/products/1").json?["name"] == "Rest")
        }
    }

    @Test("A tag is good for the audience that it was given to, and means nothing to another", arguments: graphs)
    func notModified(graph: String) async throws {
        try await VariedStand.with(graph) { stand in
            let tag = try #require(try await stand.get("/products", ["X-Tier": "gold"]).headers["ETag"])
            let own = try await stand.get("/products", ["X-Tier": "gold", "If-None-Match": tag])
            #expect(own.status == 304)
            #expect(own.headers["Vary"] == "Accept-Encoding, X-Tier")
            #expect(own.headers["Cache-Control"]?.hasPrefix("private") == true)
            let other = try await stand.get("/products", ["If-None-Match": tag])
            #expect(other.status == 200)
            #expect(other.text.contains("Rest"))
        }
    }

    @Test("Many of both at once, while answers age and one audience's upstream changes and fails", arguments: graphs)
    func underLoad(graph: String) async throws {
        try await VariedStand.with(graph) { stand in
            for round in 0..<8 {
                if round == 2 { stand.gold.serve(try VariedStand.catalogue("Gold anew")) }
                if round == 4 { stand.rest.serve(HTTPResponse(status: .serviceUnavailable)) }
                if round == 6 { stand.rest.serve(try VariedStand.catalogue("Rest anew")) }
                stand.clock.advance(by: .seconds(round.isMultiple(of: 2) ? 35 : 200))
                let seen = try await crowd(stand)
                #expect(seen["gold"]?.allSatisfy { $0.hasPrefix("Gold") } == true)
                let fails = (4..<6).contains(round)
                #expect(seen["rest"]?.allSatisfy { $0.hasPrefix("Rest") || (fails && $0 == "503") } == true)
            }
            try await eventually { try await crowd(stand) == ["gold": ["Gold anew"], "rest": ["Rest anew"]] }
        }
    }

    @Test("What an audience lacks is missing for that audience: 404 and 503 vary too", arguments: graphs)
    func errors(graph: String) async throws {
        try await VariedStand.with(graph) { stand in
            // The service asks by itself when it starts. What that brought is over before anything is missing.
            try await eventually { try await stand.get().status == 200 }
            stand.rest.serve(HTTPResponse(status: .serviceUnavailable))
            stand.clock.advance(by: .seconds(30 * 86400))
            let unavailable = try await stand.get()
            #expect(unavailable.status == 503)
            #expect(unavailable.headers["Vary"] == "Accept-Encoding, X-Tier")
            #expect(unavailable.headers["Cache-Control"] == "no-store")
            #expect(unavailable.headers["Retry-After"] != nil)
            let missing = try await stand.get("/products/none", ["X-Tier": "gold"])
            #expect(missing.status == 404)
            #expect(missing.headers["Vary"] == "Accept-Encoding, X-Tier")
            #expect(missing.headers["Cache-Control"] == "no-store")
        }
    }

    @Test("Shared caches may keep what varies if the config says so, and Vary is said all the same")
    func publicByWish() async throws {
        try await VariedStand.with(Self.graphs[0], http: ", cache_control: { scope: public }") { stand in
            let response = try await stand.get()
            #expect(response.headers["Cache-Control"]?.hasPrefix("public, max-age=5") == true)
            #expect(response.headers["Vary"] == "Accept-Encoding, X-Tier")
        }
    }

    @Test("Where nothing varies but the coding, nothing else is said of it, whatever headers come")
    func uniform() async throws {
        try await VariedStand.with("top: { type: memory, upstream: rest }") { stand in
            let response = try await stand.get("/products", ["X-Tier": "gold"])
            #expect(response.headers["Vary"] == "Accept-Encoding")
            #expect(response.headers["Cache-Control"]?.hasPrefix("public") == true)
            #expect(try await stand.get("/products/none").headers["Vary"] == nil)
        }
    }

    @Test("Every header that any provider consults is in Vary, once and in order")
    func severalHeaders() async throws {
        let graph = """
            test: { type: ab_test, experiment: e, subject: x-user, a: rest, b: gold }
            inner: { type: audience, header: X-Tier, cases: { gold: gold }, otherwise: test }
            top: { type: audience, header: A-Country, cases: { de: inner }, otherwise: test }
            """
        try await VariedStand.with(graph) { stand in
            let response = try await stand.get()
            #expect(response.headers["Vary"] == "A-Country, Accept-Encoding, X-Tier, X-User")
        }
    }

    @Test("A reload that changes who belongs together shows nobody what was kept for others")
    func reload() async throws {
        let before = """
            by_tier: { type: audience, header: X-Tier, cases: { plain: rest }, otherwise: gold }
            top: { type: memory, upstream: by_tier }
            """
        try await VariedStand.with(before) { stand in
            #expect(try await stand.name(["X-Tier": "plain"]) == "Rest")
            #expect(try await stand.name(["X-Tier": "gold"]) == "Gold")
            try await stand.reload(Self.graphs[0])
            #expect(try await stand.name(["X-Tier": "plain"]) == "Rest")
            #expect(try await stand.name(["X-Tier": "gold"]) == "Gold")
            #expect(try await stand.name() == "Rest")
        }
    }

    @Test("A reload that leaves the audiences as they are keeps what was kept for each, upstreams up or down")
    func reloadOfTheSame() async throws {
        try await VariedStand.with(Self.graphs[0]) { stand in
            for headers in [["X-Tier": "gold"], [:]] { _ = try await stand.name(headers) }
            stand.gold.serve(HTTPResponse(status: .serviceUnavailable))
            stand.rest.serve(HTTPResponse(status: .serviceUnavailable))
            for _ in 0..<3 {
                try await stand.reload(Self.graphs[0])
                #expect(try await stand.name(["X-Tier": "gold"]) == "Gold")
                #expect(try await stand.name() == "Rest")
            }
        }
    }

    @Test("A refused reload that changes who belongs together leaves to each audience what was kept for it")
    func refusedReload() async throws {
        try await VariedStand.with(Self.graphs[0]) { stand in
            for headers in [["X-Tier": "gold"], [:]] { _ = try await stand.name(headers) }
            stand.gold.serve(HTTPResponse(status: .serviceUnavailable))
            stand.rest.serve(HTTPResponse(status: .serviceUnavailable))
            let other =
                "top: { type: memory, upstream: { type: audience, header: X-Role, cases: { gold: gold }, "
                + "otherwise: rest } }"
            for _ in 0..<2 {
                try await stand.reload(other, until: "error: reload refused, the old config stays")
                #expect(try await stand.name(["X-Tier": "gold"]) == "Gold")
                #expect(try await stand.name() == "Rest")
                try await stand.reload(Self.graphs[0])
                #expect(try await stand.name(["X-Tier": "gold"]) == "Gold")
            }
        }
    }

    /// What a hundred requests of each audience, all at once, were shown.
    private func crowd(_ stand: VariedStand) async throws -> [String: Set<String>] {
        let visitor = try stand.visitor()
        return try await withThrowingTaskGroup(of: (String, String).self) { group in
            for number in 0..<200 {
                let isGold = number.isMultiple(of: 2)
                group.addTask {
                    (isGold ? "gold" : "rest", try await visitor.name(["X-Tier": isGold ? "gold" : "\(number)"]))
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0, default: []].insert($1.1) }
        }
    }
}
