import Concurrency
import Configuration
import FoundationEssentials
import Logging
import Products
import Providers
import TestSupport
import Testing

@testable import Service

@Suite("Readiness by what the graph keeps", .timeLimit(.minutes(1)))
struct CatalogueInFrontTests {
    /// A graph in front of a provider that a test holds, under the eyes of readiness.
    private struct Bench {
        let wall = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
        let log = LogRecorder()
        let shop: ScriptedProvider
        let readiness: ReadinessTracker
        let front: CatalogueInFront
        let watched: WatchedProductsProvider

        init(_ yaml: String, answering outcome: Result<ProductsAnswer, any Error>) throws {
            let wallClock = WallClock { [wall] in wall.now }
            shop = ScriptedProvider(outcome)
            var registry = LoadedConfiguration.registry
            registry.register(ProviderFamily.self, [Self.spec(shop)])
            let document = try ConfigDocument.parse(yaml, file: "c.yaml", environment: [:])
            let check = ConfigurationCheck(
                document: document, registry: registry, sections: ServiceConfiguration.fields)
            let service = ServiceConfiguration(check.root)
            let configuration = LoadedConfiguration(
                service: service, root: check.root.component("serve", ProviderFamily.self),
                warnings: try check.finish(), hash: "")
            var resources = ComponentResources()
            resources.set(log.logger)
            resources.set(wallClock)
            resources.set(
                GraphObservation(root: configuration.root.outline.id, wallClock: wallClock))
            let graph = try ServingGraph(configuration, in: Assembly(resources: resources))
            readiness = ReadinessTracker(wallClock: wallClock)
            front = graph.catalogueInFront
            readiness.follow(1, front: front)
            watched = WatchedProductsProvider(
                upstream: graph.provider, readiness: readiness, edition: 1, logger: log.logger)
        }

        private static func spec(_ shop: ScriptedProvider) -> ComponentSpec<ProviderFamily> {
            ComponentSpec<ProviderFamily>(
                type: "shop", summary: "what the test holds", fields: [], example: "{ type: shop }"
            ) { _ in { _ in shop } }
        }

        /// A catalogue that the shop confirms now.
        func works() throws {
            shop.outcome = .success(makeAnswer(try makeCatalogue(), fetchedAt: wall.now))
        }

        func ask() async -> ProductsAnswer? { try? await watched.products(for: ProductsRequest()) }

        /// What readiness is, in words.
        var shown: String {
            switch readiness.verdict {
            case .ready(let answer): answer.freshness.map { $0.isOffline ? "offline" : "online" } ?? "unkept"
            case .empty(let reason): reason
            case .draining: "draining"
            }
        }
    }

    private static let memory = """
        { type: memory, ttl: 10s, stale_while_revalidate: 20s, stale_if_error: 60s, hold_off: 0s, \
        upstream: { type: shop } }
        """
    private static let failure = ProductsFailure.upstreamStatus(503, retryAfter: nil)

    @Test("With an upstream that comes and goes fifty times readiness changes not once")
    func flapping() async throws {
        let bench = try Bench("serve: \(Self.memory)", answering: .failure(Self.failure))
        try bench.works()
        _ = await bench.ask()
        var seen: [Bool] = []
        var states: Set<String> = []
        for transition in 0..<50 {
            for _ in 0..<4 {
                bench.wall.advance(by: .seconds(8))
                if transition.isMultiple(of: 2) {
                    bench.shop.outcome = .failure(Self.failure)
                } else {
                    try bench.works()
                }
                _ = await bench.ask()
                // The upstream is asked behind the answer, unless it has not answered the question before this one yet.
                if !transition.isMultiple(of: 2) {
                    try await eventually {
                        _ = await bench.ask()
                        return bench.shown == "online"
                    }
                }
                seen.append(bench.shown == "online" || bench.shown == "offline")
                states.insert(bench.shown)
            }
        }
        #expect(seen.allSatisfy { $0 })
        #expect(states == ["online", "offline"])
        #expect(bench.shop.asked > 50)
    }

    @Test("The catalogue that was answered with first is held by nobody once another one is served")
    func replaced() async throws {
        let bench = try Bench("serve: \(Self.memory)", answering: .failure(Self.failure))
        try bench.works()
        weak let first = await bench.ask()?.snapshot.catalogue
        #expect(first != nil)
        bench.wall.advance(by: .seconds(11))
        bench.shop.outcome = .success(makeAnswer(try makeCatalogue(["Cup"]), fetchedAt: bench.wall.now))
        // Every answer is a hit: the other catalogue is asked for behind one.
        try await eventually { await bench.ask()?.snapshot.products.first?.name == "Cup" }
        #expect(bench.shown == "online")
        try await eventually { first == nil }
    }

    @Test("Around the end of what may be served it changes once, and once back, however often it is asked")
    func expiry() async throws {
        let bench = try Bench("serve: \(Self.memory)", answering: .failure(Self.failure))
        try bench.works()
        _ = await bench.ask()
        bench.shop.outcome = .failure(Self.failure)
        var shown: [String] = []
        func look() {
            if shown.last != bench.shown { shown.append(bench.shown) }
        }
        for _ in 0..<140 {
            bench.wall.advance(by: .milliseconds(1000))
            _ = await bench.ask()
            look()
        }
        try bench.works()
        for _ in 0..<5 {
            bench.wall.advance(by: .milliseconds(1000))
            _ = await bench.ask()
            look()
        }
        #expect(shown == ["online", "offline", "status-503", "online"])
    }

    @Test(
        "What memory has got meanwhile is told without a request, whatever stands before it",
        arguments: [
            memory, "{ type: retry, upstream: \(memory) }",
            "{ type: fallback, primary: \(memory), secondary: { type: file, path: /nowhere.json } }",
        ])
    func meanwhile(graph: String) async throws {
        let bench = try Bench("serve: \(graph)", answering: .failure(Self.failure))
        try bench.works()
        _ = await bench.ask()
        bench.shop.outcome = .failure(Self.failure)
        bench.wall.advance(by: .seconds(31))
        _ = await bench.ask()
        #expect(bench.shown == "offline")
        try bench.works()
        // Answered at once from what is there, with a refresh behind.
        _ = await bench.ask()
        try await eventually { bench.shown == "online" }
        #expect(bench.log.count(of: "warning: the graph fails, nothing to serve") == 0)
    }

    @Test("A graph that keeps nothing is as ready as its last answer")
    func unkept() async throws {
        let bench = try Bench("serve: { type: shop }", answering: .failure(Self.failure))
        #expect(bench.shown == "no answer yet")
        try bench.works()
        _ = await bench.ask()
        #expect(bench.shown == "unkept")
        bench.shop.outcome = .failure(Self.failure)
        _ = await bench.ask()
        #expect(bench.shown == "unkept")
        bench.wall.advance(by: .seconds(10))
        _ = await bench.ask()
        #expect(bench.shown == "status-503")
    }

    @Test(
        "It tells why the upstream fails and since when, whether answers are kept or not",
        arguments: [Self.memory, "{ type: shop }"])
    func failing(root: String) async throws {
        let bench = try Bench("serve: \(root)", answering: .failure(Self.failure))
        func texts() -> [String] { bench.readiness.failing.texts(at: bench.wall.now) }
        #expect(texts() == [])
        for _ in 0..<2 {
            bench.wall.advance(by: .seconds(5))
            _ = await bench.ask()
        }
        let text = "upstream failing for 5s (since 08:00:05 UTC): upstream answered 503; "
        #expect(texts() == [text + "next try with the next request"])
        try bench.works()
        _ = await bench.ask()
        #expect(texts() == [])
    }

    @Test(
        "Only what gives every answer on may stand before the memory that is looked at",
        arguments: [
            ("retry", true), ("circuit_breaker", false), ("concurrency_limit, max: 1", false), ("validated", false),
            ("timeout, after: 1s", false),
        ])
    func standsBefore(type: String, isKnown: Bool) throws {
        let bench = try Bench("serve: { type: \(type), upstream: \(Self.memory) }", answering: .failure(Self.failure))
        #expect(bench.front.isKnown == isKnown)
    }

    @Test("What is refused above memory makes unready, however long memory could serve it")
    func refusedAbove() async throws {
        let bench = try Bench(
            "serve: { type: validated, minimum: 2, upstream: \(Self.memory) }", answering: .failure(Self.failure))
        bench.shop.outcome = .success(makeAnswer(try makeCatalogue(["Mug", "Bowl"]), fetchedAt: bench.wall.now))
        _ = await bench.ask()
        #expect(bench.shown == "online")
        bench.wall.advance(by: .seconds(31))
        try bench.works()
        for _ in 0..<2 {
            #expect(await bench.ask() == nil)
            bench.wall.advance(by: .seconds(10))
        }
        #expect(bench.shown == "empty")
        #expect(bench.log.count(of: "warning: the graph fails, nothing to serve") == 1)
    }

    @Test("A circuit breaker that is open above memory makes unready, and an answer through it ready again")
    func brokenAbove() async throws {
        let graph = """
            { type: circuit_breaker, failures: 1, open_for: 1ms, upstream: \
            { type: validated, minimum: 2, upstream: \(Self.memory) } }
            """
        let bench = try Bench("serve: \(graph)", answering: .failure(Self.failure))
        #expect(await bench.ask() == nil)
        #expect(bench.shown == "status-503")
        bench.shop.outcome = .success(makeAnswer(try makeCatalogue(["Mug", "Bowl"]), fetchedAt: bench.wall.now))
        try await eventually { await bench.ask() != nil }
        #expect(bench.shown == "online")
    }

    @Test("With windows of nothing it is ready as long as the upstream has not failed since")
    func noWindows() async throws {
        let graph = """
            { type: memory, ttl: 0s, stale_while_revalidate: 0s, stale_if_error: 0s, upstream: { type: shop } }
            """
        let bench = try Bench("serve: \(graph)", answering: .failure(Self.failure))
        for _ in 0..<3 {
            try bench.works()
            bench.wall.advance(by: .seconds(1))
            #expect(await bench.ask() != nil)
            bench.wall.advance(by: .seconds(3600))
            #expect(bench.shown == "online")
        }
        bench.shop.outcome = .failure(Self.failure)
        #expect(await bench.ask() == nil)
        #expect(bench.shown == "status-503")
    }

    @Test("A reload leaves the old graph's catalogue behind")
    func reloaded() async throws {
        let bench = try Bench("serve: \(Self.memory)", answering: .failure(Self.failure))
        try bench.works()
        _ = await bench.ask()
        bench.readiness.follow(2)
        #expect(bench.shown == "online")
        bench.shop.outcome = .failure(Self.failure)
        _ = await bench.ask()
        bench.wall.advance(by: .seconds(71))
        #expect(bench.shown == "online")
    }
}
