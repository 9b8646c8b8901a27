@testable import Service
@testable import Serving
import Concurrency
import Products
import ServingTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ServableCatalogueTests {
    private static let memory = """
        { type: memory, ttl: 10s, stale_while_revalidate: 20s, stale_if_error: 60s, hold_off: 0s, upstream: shop }
        """

    /// A service whose upstream fails at first.
    private func service(_ graph: String = memory) throws -> InMemoryService {
        let service = try InMemoryService("top: \(graph)")
        service.shop.fail()
        return service
    }

    @Test func `an upstream that flaps fifty times never changes readiness`() async throws {
        let service = try self.service()
        try service.works()
        _ = await service.ask()
        var seen: [Bool] = []
        var states: Set<String> = []
        for transition in 0..<50 {
            for _ in 0..<4 {
                service.clock.advance(by: .seconds(8))
                if transition.isMultiple(of: 2) {
                    service.shop.fail()
                } else {
                    try service.works()
                }
                _ = await service.ask()
                // The upstream is asked behind the answer, unless it has not answered the question before this one yet.
                if !transition.isMultiple(of: 2) {
                    try await eventually {
                        _ = await service.ask()
                        return service.shown == "online"
                    }
                }
                seen.append(service.shown == "online" || service.shown == "offline")
                states.insert(service.shown)
            }
        }
        #expect(seen.allSatisfy { $0 })
        #expect(states == ["online", "offline"])
        #expect(service.shop.asked > 50)
    }

    @Test func `the first catalogue is released once another one is served`() async throws {
        let service = try self.service()
        try service.works()
        weak let first = await service.ask()?.snapshot.catalogue
        #expect(first != nil)
        service.clock.advance(by: .seconds(11))
        try service.shop.serve(["Cup"])
        // Every answer is a hit: the other catalogue is asked for behind one.
        try await eventually { await service.ask()?.snapshot.products.first?.name == "Cup" }
        #expect(service.shown == "online")
        try await eventually { first == nil }
    }

    @Test func `readiness changes once when the last catalogue expires, and once when the upstream is back`()
        async throws
    {
        let service = try self.service()
        try service.works()
        _ = await service.ask()
        service.shop.fail()
        var shown: [String] = []
        func look() {
            if shown.last != service.shown { shown.append(service.shown) }
        }
        for _ in 0..<140 {
            service.clock.advance(by: .milliseconds(1000))
            _ = await service.ask()
            look()
        }
        try service.works()
        for _ in 0..<5 {
            service.clock.advance(by: .milliseconds(1000))
            _ = await service.ask()
            look()
        }
        #expect(shown == ["online", "offline", "status-503", "online"])
    }

    @Test(arguments: [
        memory, "{ type: retry, upstream: \(memory) }",
        "{ type: fallback, primary: \(memory), secondary: { type: file, path: /nowhere.json } }",
    ])
    func `a refresh of memory changes readiness without a request, whatever stands above`(graph: String) async throws {
        let service = try self.service(graph)
        try service.works()
        _ = await service.ask()
        service.shop.fail()
        service.clock.advance(by: .seconds(31))
        _ = await service.ask()
        #expect(service.shown == "offline")
        try service.works()
        // Answered at once from what is there, with a refresh behind.
        _ = await service.ask()
        try await eventually { service.shown == "online" }
        #expect(service.log.count(of: "warning: the graph fails, nothing to serve") == 0)
    }

    @Test func `a graph without memory is as ready as its last answer`() async throws {
        let service = try self.service("{ type: scripted }")
        #expect(service.shown == "no answer yet")
        try service.works()
        _ = await service.ask()
        #expect(service.shown == "unkept")
        service.shop.fail()
        _ = await service.ask()
        #expect(service.shown == "unkept")
        service.clock.advance(by: .seconds(10))
        _ = await service.ask()
        #expect(service.shown == "status-503")
    }

    @Test(arguments: [Self.memory, "{ type: scripted }"])
    func `the reason and the time of failure are reported, with and without memory`(root: String) async throws {
        let service = try self.service(root)
        func texts() -> [String] { service.readiness.failing.texts(at: service.clock.now) }
        #expect(texts() == [])
        for _ in 0..<2 {
            service.clock.advance(by: .seconds(5))
            _ = await service.ask()
        }
        let text = "upstream failing for 5s (since 08:00:05 UTC): upstream answered 503; "
        #expect(texts() == [text + "next try with the next request"])
        try service.works()
        _ = await service.ask()
        #expect(texts() == [])
    }

    @Test(arguments: [
        ("retry", true), ("circuit_breaker", false), ("concurrency_limit, max: 1", false), ("validated", false),
        ("timeout, after: 1s", false), ("analytics, sink: { type: log }, event: e", true),
    ])
    func `only providers that pass every answer on may stand above the watched memory`(type: String, isKnown: Bool)
        async throws
    {
        let service = try self.service("{ type: \(type), upstream: \(Self.memory) }")
        try service.works()
        let answer = try #require(await service.ask())
        #expect(service.graph.front.isKnown == isKnown)
        #expect((answer.lease?.isOfAnyCatalogue == true && answer.lease?.publication.isJoined == false) == isKnown)
    }

    @Test(arguments: [
        ("audience, header: X-Tier, cases: { gold: gold }, otherwise: memory", true),
        ("ab_test, experiment: e, arm: X-Arm, a: memory, b: rest", true),
        ("fallback, primary: memory, secondary: rest", true), ("fallback, primary: gold, secondary: memory", false),
        ("merge, providers: [memory]", false), ("overlay, upstream: memory, overlay: rest, members: [stock]", false),
        ("memory, upstream: { type: merge, providers: [memory] }", true),
    ])
    func `a strategy vouches for the memories whose answers it passes on`(type: String, isKnown: Bool) async throws {
        let service = try InMemoryService("top: { type: \(type) }\nmemory: \(Self.memory)")
        if type.contains("primary: gold") { service.gold.fail() }
        // The overlay composes the catalogue before its answers have a lease.
        for _ in 0..<2 { _ = try await service.provider.products(for: ProductsRequest()) }
        let lease = try await service.provider.products(for: ProductsRequest()).lease
        #expect(service.graph.front.isKnown == isKnown)
        #expect((lease?.isOfAnyCatalogue == true && lease?.publication.isJoined == false) == isKnown)
    }

    @Test func `one of several memories that may be served is enough`() async throws {
        let service = try InMemoryService(
            """
            top: { type: audience, header: X-Tier, cases: { gold: gold_memory }, otherwise: rest_memory }
            gold_memory: { type: memory, stale_if_error: 60s, stale_while_revalidate: 0s, ttl: 10s, upstream: gold }
            rest_memory: { type: memory, stale_if_error: 600s, ttl: 10s, upstream: rest }
            """)
        for headers in [["x-tier": "gold"], [:]] {
            _ = try await service.provider.products(for: ProductsRequest(headers: headers))
        }
        #expect(service.shown == "online")
        for upstream in [service.gold, service.rest] { upstream.fail() }
        for (seconds, shown) in [(71.0, "offline"), (600, "status-503")] {
            service.clock.advance(by: .seconds(seconds))
            for headers in [[:], ["x-tier": "gold"]] {
                _ = try? await service.provider.products(for: ProductsRequest(headers: headers))
            }
            #expect(service.shown == shown)
        }
    }

    @Test func `a refusal above memory makes unready, however long memory could serve`() async throws {
        let service = try self.service("{ type: validated, minimum: 2, upstream: \(Self.memory) }")
        try service.shop.serve(["Mug", "Bowl"])
        _ = await service.ask()
        #expect(service.shown == "online")
        service.clock.advance(by: .seconds(31))
        try service.works()
        for _ in 0..<2 {
            #expect(await service.ask() == nil)
            service.clock.advance(by: .seconds(10))
        }
        #expect(service.shown == "empty")
        #expect(service.log.count(of: "warning: the graph fails, nothing to serve") == 1)
    }

    @Test func `an open circuit breaker above memory makes unready until an answer passes it`() async throws {
        let graph = """
            { type: circuit_breaker, failures: 1, open_for: 1ms, upstream: \
            { type: validated, minimum: 2, upstream: \(Self.memory) } }
            """
        let service = try self.service(graph)
        #expect(await service.ask() == nil)
        #expect(service.shown == "status-503")
        try service.shop.serve(["Mug", "Bowl"])
        try await eventually { await service.ask() != nil }
        #expect(service.shown == "online")
    }

    @Test func `with windows of zero it is ready until the upstream fails`() async throws {
        let graph = """
            { type: memory, ttl: 0s, stale_while_revalidate: 0s, stale_if_error: 0s, upstream: shop }
            """
        let service = try self.service(graph)
        for _ in 0..<3 {
            try service.works()
            service.clock.advance(by: .seconds(1))
            #expect(await service.ask() != nil)
            service.clock.advance(by: .seconds(3600))
            #expect(service.shown == "online")
        }
        service.shop.fail()
        #expect(await service.ask() == nil)
        #expect(service.shown == "status-503")
    }

    @Test func `a reload leaves the old graph's catalogue behind`() async throws {
        let service = try self.service()
        try service.works()
        _ = await service.ask()
        service.readiness.follow(2)
        #expect(service.shown == "online")
        service.shop.fail()
        _ = await service.ask()
        service.clock.advance(by: .seconds(71))
        #expect(service.shown == "online")
    }
}

extension InMemoryService {
    fileprivate func works() throws { try shop.serve(["Mug"]) }

    fileprivate func ask() async -> ProductsAnswer? { try? await provider.products(for: ProductsRequest()) }

    /// Readiness in words.
    fileprivate var shown: String {
        switch readiness.verdict {
        case .ready(let answer): answer.freshness.map { $0.isOffline ? "offline" : "online" } ?? "unkept"
        case .empty(let reason): reason
        case .draining: "draining"
        }
    }
}
