internal import Configuration
internal import FileSystem
internal import FoundationEssentials
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

/// A new graph is asked before it takes over, and may be refused then. What its memory does must not be seen by those
/// that the old one serves, and what the old one does meanwhile must not be lost.
@Suite(.timeLimit(.minutes(1)))
struct MemoryRefusedReloadTests {
    private let shelf = AudienceFixture()
    private let newGold = ScriptedProvider()
    private let newRest = ScriptedProvider()

    private func successor(
        header: String = "x-tier", policy: FreshnessPolicy = MemoryFixture.policy
    ) -> MemoryProductsProviderDecorator {
        shelf.successor(header: header, cases: ["gold": newGold], otherwise: newRest, policy: policy)
    }

    @Test("one with another division leaves the rooms as they are, for the graph in force and for the next successor")
    func division() async throws {
        _ = try await shelf.told("gold")
        newRest.fails(MemoryFixture.refused)
        let refused = successor(header: "x-role")
        await #expect(throws: ProductsFailure.self) { try await shelf.told("gold", by: refused) }
        #expect(try await shelf.told("gold") == "Gold hit")
        #expect(try await shelf.told("gold", by: successor()) == "Gold hit")
        #expect(newGold.calls == 0)
    }

    @Test("one with another division leaves the rooms as they are, by the config too")
    func configured() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("products.json")
        try Files.create(path, makeBody())
        var resources = ComponentResources()
        resources.set(shelf.log.logger)
        resources.set(shelf.wall.wallClock)
        let file = "{ type: file, path: \(path) }"
        let other =
            "{ type: audience, header: X-Tier, cases: { a: \(file) }, otherwise: { type: file, path: /none/x } }"
        let first = try makeProvider("{ type: memory, upstream: \(file) }", resources: resources)
        #expect(try await first.provider.ask().steps == ["file: fetched", "p: miss"])
        let refused = try makeProvider(
            "{ type: memory, upstream: \(other) }", resources: resources, replacing: first.assembly)
        await #expect(throws: ProductsFailure.self) { try await refused.provider.ask() }
        try Files.remove(path)
        let next = try makeProvider(
            "{ type: memory, upstream: \(file) }", resources: resources, replacing: first.assembly)
        for provider in [first.provider, next.provider] {
            #expect(try await provider.ask().steps == ["p: hit"])
        }
    }

    @Test("its rules are not those of the requests on the graph in force")
    func policy() async throws {
        _ = try await shelf.told("gold")
        shelf.pass(.seconds(60))
        newGold.fails(MemoryFixture.refused)
        let strict = successor(
            policy: FreshnessPolicy(ttl: .seconds(5), staleWhileRevalidate: .zero, staleIfError: .seconds(5)))
        await #expect(throws: ProductsFailure.self) { try await shelf.told("gold", by: strict) }
        shelf.gold.hold()
        #expect(try await shelf.told("gold") == "Gold stale")
        await shelf.gold.wait(parked: 1)
        shelf.gold.release()
    }

    @Test("what it gets and what it fails at is not the graph's in force")
    func upstream() async throws {
        _ = try await shelf.told("gold")
        _ = try await shelf.told(nil)
        shelf.pass(.seconds(100))
        shelf.works(newGold, "NewGold")
        newRest.fails(MemoryFixture.refused)
        let refused = successor()
        #expect(try await shelf.told("gold", by: refused) == "NewGold stale")
        #expect(try await shelf.told(nil, by: refused) == "Rest stale")
        #expect(try await shelf.told("gold") == "Gold stale")
        #expect(try await shelf.told(nil) == "Rest stale")
        #expect(try await shelf.told(nil) == "Rest hit")
    }

    @Test("what the graph in force gets before the take-over is the successor's too, also after a refusal")
    func meanwhile() async throws {
        _ = try await shelf.told("gold")
        for _ in 0..<2 {
            let next = successor()
            #expect(try await shelf.told("gold", by: next) == "Gold hit")
            shelf.pass(.seconds(100))
            #expect(try await shelf.told("gold") == "Gold stale")
            #expect(try await shelf.told("gold", by: next) == "Gold hit")
        }
        #expect(newGold.calls == 0)
    }

    @Test("an audience that asks the graph in force for the first time meanwhile is known to the successor")
    func newAudience() async throws {
        _ = try await shelf.told(nil)
        let next = successor()
        _ = try await shelf.told("gold")
        #expect(try await shelf.told("gold", by: next) == "Gold hit")
        #expect(newGold.calls == 0)
    }

    @Test("what the old upstream gives does not take the place of what the new one has given")
    func proven() async throws {
        _ = try await shelf.told("gold")
        shelf.pass(.seconds(100))
        shelf.works(newGold, "NewGold")
        let next = successor()
        #expect(try await shelf.told("gold", by: next) == "NewGold stale")
        shelf.pass(.seconds(1))
        #expect(try await shelf.told("gold") == "Gold stale")
        #expect(try await shelf.told("gold", by: next) == "NewGold hit")
    }

    @Test("a refused one is not kept")
    func released() async throws {
        _ = try await shelf.told("gold")
        weak let rooms = successor().rooms
        #expect(rooms == nil)
        #expect(try await shelf.told("gold") == "Gold hit")
    }
}
