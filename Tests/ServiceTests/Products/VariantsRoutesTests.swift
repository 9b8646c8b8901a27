import Configuration
import FoundationEssentials
import JSON
import Networking
import ServingTestSupport
import TestSupport
import Testing

@testable import Service

/// Products for one audience must never reach another, wherever the graph keeps them.
@Suite(.timeLimit(.minutes(1)))
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

    @Test(arguments: graphs)
    func `each audience gets its own products, fields and tag, which no other can use`(graph: String) async throws {
        let service = try InMemoryService(graph)
        for _ in 0..<3 {
            #expect(try await service.name(["X-Tier": "gold"]) == "Gold")
            #expect(try await service.name() == "Rest")
            #expect(try await service.name(["X-Tier": "Gold"]) == "Rest")
        }
        let gold = try await service.get("/products", ["X-Tier": "gold"])
        let rest = try await service.get("/products")
        #expect(gold.headers["ETag"] != rest.headers["ETag"])
        for response in [gold, rest] {
            #expect(response.headers["Vary"] == "Accept-Encoding, X-Tier")
            #expect(response.headers["Cache-Control"]?.hasPrefix("private, max-age=5") == true)
        }
        #expect(try await service.get("/products/1", ["X-Tier": "gold"]).json?["name"] == "Gold")
        #expect(try await service.get("/products/1").json?["name"] == "Rest")

        let tag = try #require(gold.headers["ETag"])
        let own = try await service.get("/products", ["X-Tier": "gold", "If-None-Match": tag])
        #expect(own.status == 304)
        #expect(own.headers["Vary"] == "Accept-Encoding, X-Tier")
        #expect(own.headers["Cache-Control"]?.hasPrefix("private") == true)
        let other = try await service.get("/products", ["If-None-Match": tag])
        #expect(other.status == 200)
        #expect(other.text.contains("Rest"))
    }

    @Test(arguments: graphs)
    func `concurrent audiences stay apart while upstreams change and fail`(graph: String) async throws {
        let service = try InMemoryService(graph)
        let jobs = service.graph.backgroundJobs.map { job in Task { try await job.run() } }
        defer { for job in jobs { job.cancel() } }
        for round in 0..<8 {
            if round == 2 { try service.gold.serve(["Gold anew", "Gold anew two"]) }
            if round == 4 { service.rest.fail() }
            if round == 6 { try service.rest.serve(["Rest anew", "Rest anew two"]) }
            service.clock.advance(by: .seconds(round.isMultiple(of: 2) ? 35 : 200))
            let seen = try await crowd(service)
            #expect(seen["gold"]?.allSatisfy { $0.hasPrefix("Gold") } == true)
            let fails = (4..<6).contains(round)
            #expect(seen["rest"]?.allSatisfy { $0.hasPrefix("Rest") || (fails && $0 == "503") } == true)
        }
        try await eventually { try await crowd(service) == ["gold": ["Gold anew"], "rest": ["Rest anew"]] }
    }

    @Test(arguments: graphs)
    func `404 and 503 vary by audience`(graph: String) async throws {
        let service = try InMemoryService(graph)
        #expect(try await service.get("/products").status == 200)
        service.rest.fail()
        service.clock.advance(by: .seconds(30 * 86400))
        let unavailable = try await service.get("/products")
        #expect(unavailable.status == 503)
        #expect(unavailable.headers["Vary"] == "Accept-Encoding, X-Tier")
        #expect(unavailable.headers["Cache-Control"] == "no-store")
        #expect(unavailable.headers["Retry-After"] != nil)
        let missing = try await service.get("/products/none", ["X-Tier": "gold"])
        #expect(missing.status == 404)
        #expect(missing.headers["Vary"] == "Accept-Encoding, X-Tier")
        #expect(missing.headers["Cache-Control"] == "no-store")
    }

    @Test func `a public scope is obeyed, and Vary stays`() async throws {
        let service = try InMemoryService(Self.graphs[0], http: "cache_control: { scope: public }")
        let response = try await service.get("/products")
        #expect(response.headers["Cache-Control"]?.hasPrefix("public, max-age=5") == true)
        #expect(response.headers["Vary"] == "Accept-Encoding, X-Tier")
    }

    @Test func `a uniform graph varies by coding alone`() async throws {
        let service = try InMemoryService("top: { type: memory, upstream: rest }")
        let response = try await service.get("/products", ["X-Tier": "gold"])
        #expect(response.headers["Vary"] == "Accept-Encoding")
        #expect(response.headers["Cache-Control"]?.hasPrefix("public") == true)
        #expect(try await service.get("/products/none").headers["Vary"] == nil)
    }

    @Test func `every consulted header is in Vary once, in order`() async throws {
        let graph = """
            test: { type: ab_test, experiment: e, subject: x-user, a: rest, b: gold }
            inner: { type: audience, header: X-Tier, cases: { gold: gold }, otherwise: test }
            top: { type: audience, header: A-Country, cases: { de: inner }, otherwise: test }
            """
        let service = try InMemoryService(graph)
        let response = try await service.get("/products")
        #expect(response.headers["Vary"] == "A-Country, Accept-Encoding, X-Tier, X-User")
    }

    private func with(
        _ providers: String,
        _ body: (ReloadBench, _ gold: ScriptedProvider, _ rest: ScriptedProvider) async throws -> Void
    ) async throws {
        let gold = ScriptedProvider(try makeCatalogue(["Gold"])) { Date() }
        let rest = ScriptedProvider(try makeCatalogue(["Rest"])) { Date() }
        let specs = [gold.spec("gold"), rest.spec("rest")]
        let load: ReloadBench.Load = { yaml throws(ConfigurationError) in
            try LoadedConfiguration.checked(yaml, adding: specs)
        }
        try await ReloadBench.with(Self.yaml(providers), loadedBy: load) { try await body($0, gold, rest) }
    }

    private static func yaml(_ providers: String) -> String {
        let all = ["gold: { type: gold }", "rest: { type: rest }"] + providers.split(separator: "\n").map(String.init)
        return "providers:\n\(all.map { "  \($0)\n" }.joined())serve: top\n"
    }

    @Test func `a reload that regroups the audiences shows nobody products kept for others`() async throws {
        let before = """
            by_tier: { type: audience, header: X-Tier, cases: { plain: rest }, otherwise: gold }
            top: { type: memory, upstream: by_tier }
            """
        try await with(before) { bench, _, _ in
            let names = ["plain": "Rest", "gold": "Gold"]
            for (tier, name) in names { try await #require(bench.name(["X-Tier": tier]) == name) }
            await bench.reload(Self.yaml(Self.graphs[0]))
            #expect(bench.log.count(of: "notice: reloaded") == 1)
            for (tier, name) in names { try await #require(bench.name(["X-Tier": tier]) == name) }
            #expect(try await bench.name() == "Rest")
        }
    }

    @Test func `reloads keep what memory has for each audience, with the upstreams down`() async throws {
        try await with(Self.graphs[0]) { bench, gold, rest in
            for headers in [["X-Tier": "gold"], [:]] { _ = try await bench.name(headers) }
            gold.fail()
            rest.fail()
            for count in 1...3 {
                await bench.reload(Self.yaml(Self.graphs[0]))
                #expect(bench.log.count(of: "notice: reloaded") == count)
                #expect(try await bench.name(["X-Tier": "gold"]) == "Gold")
                #expect(try await bench.name() == "Rest")
            }
            let other = "top: { type: memory, upstream: \(Self.audience.replacing("x-TIER", with: "X-Role")) }"
            for count in 1...2 {
                await bench.reload(Self.yaml(other))
                #expect(bench.log.count(of: "error: reload refused, the old config stays") == count)
                #expect(try await bench.name(["X-Tier": "gold"]) == "Gold")
                #expect(try await bench.name() == "Rest")
                await bench.reload(Self.yaml(Self.graphs[0]))
                #expect(try await bench.name(["X-Tier": "gold"]) == "Gold")
            }
        }
    }

    /// The names that a hundred concurrent requests of each audience get.
    private func crowd(_ service: InMemoryService) async throws -> [String: Set<String>] {
        return try await withThrowingTaskGroup(of: (String, String).self) { group in
            for number in 0..<200 {
                let isGold = number.isMultiple(of: 2)
                group.addTask {
                    (isGold ? "gold" : "rest", try await service.name(["X-Tier": isGold ? "gold" : "\(number)"]))
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0, default: []].insert($1.1) }
        }
    }
}

extension ReloadBench: AskedService {
    func send(
        _ target: String, _ method: String, _ headers: [HTTPHeader], admin: Bool
    ) async throws -> HTTPClientResponse {
        let edition = parts.current.edition
        return await (admin ? edition.adminHandler : edition.publicHandler).send(target, method, headers)
    }
}
