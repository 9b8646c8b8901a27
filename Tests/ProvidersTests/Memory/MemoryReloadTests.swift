internal import Concurrency
internal import Configuration
internal import FileSystem
internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// A changed memory copies its predecessor's snapshots once; an unchanged one is taken over.
@Suite(.timeLimit(.minutes(1)))
struct MemoryReloadTests {
    private let shelf = AudienceFixture()
    private let newGold = ScriptedProvider()
    private let newRest = ScriptedProvider()
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `answers are kept, whatever is behind them now, until their time is over`() async throws {
        let successor = try await reload()
        #expect(try await shelf.told("gold", by: successor) == "Gold hit")
        #expect(try await shelf.told(nil, by: successor) == "Rest hit")
        #expect(newGold.calls + newRest.calls == 0)
        shelf.pass(.seconds(100))
        #expect(try await shelf.told("gold", by: successor) == "NewGold stale")
        #expect(shelf.gold.calls == 1)
        #expect(newGold.calls == 1)
    }

    @Test(arguments: [("x-tier", ["silver"]), ("x-tier", ["gold", "silver"]), ("x-role", ["gold"])])
    func `under another division nothing is kept, as the same variant would mean other requests`(
        header: String, cases: [String]
    ) async throws {
        _ = try await shelf.told("gold")
        _ = try await shelf.told(nil)
        shelf.works(newGold, "NewGold")
        shelf.works(newRest, "NewRest")
        let successor = shelf.successor(
            header: header, cases: Dictionary(uniqueKeysWithValues: cases.map { ($0, newGold) }), otherwise: newRest)
        #expect(try await shelf.told(nil, by: successor) == "NewRest miss")
        #expect(try await shelf.told("gold") == "Gold hit")
    }

    @Test
    func `a pause that the old upstream was given does not keep the new one from being asked, and nobody waits for it`()
        async throws
    {
        _ = try await shelf.told("gold")
        shelf.gold.fails(.upstreamStatus(503, retryAfter: .seconds(30)))
        shelf.pass(.seconds(100))
        #expect(try await shelf.told("gold") == "Gold stale")
        #expect(try await shelf.told("gold") == "Gold stale")
        #expect(shelf.gold.calls == 2)
        let successor = try await reload(warm: false)
        #expect(try await shelf.told("gold", by: successor) == "Gold stale")
        await newGold.wait(calls: 1)
        await shelf.log.wait(lines: 3)
        #expect(try await shelf.told("gold", by: successor) == "NewGold hit")
        #expect(shelf.log.seen.last == "notice: upstream recovered")
    }

    @Test func `the policy is the new one's, from the first request on`() async throws {
        _ = try await shelf.told("gold")
        let policy = FreshnessPolicy(ttl: .seconds(5), staleWhileRevalidate: .zero, staleIfError: .seconds(7))
        let successor = copy(policy, node: "renamed")
        let request = ProductsRequest(headers: ["x-tier": "gold"])
        let answer = try await successor.products(for: request)
        #expect(answer.steps == ["renamed: hit"])
        #expect(answer.freshness?.freshUntil == answer.snapshot.fetchedAt + 5)
        #expect(answer.freshness?.servableUntil == answer.snapshot.fetchedAt + 12)
        shelf.pass(.seconds(6))
        shelf.works(newGold, "NewGold")
        #expect(try await successor.products(for: request).steps == ["renamed: stale"])
        #expect(newGold.calls == 1)
    }

    @Test func `another upstream is asked at once, behind the first answer, and once`() async throws {
        _ = try await shelf.told("gold")
        shelf.works(newGold, "NewGold")
        let successor = copy(FreshnessPolicy(ttl: .seconds(3600)), isElsewhere: true)
        #expect(try await shelf.told("gold", by: successor) == "Gold hit")
        await newGold.wait(calls: 1)
        await shelf.log.wait(lines: 2)
        #expect(try await shelf.told("gold", by: successor) == "NewGold hit")
        #expect(newGold.calls == 1)
    }

    @Test func `in the background the successor goes on with every audience that was asked for`() async throws {
        let oldTask = Task { try await shelf.memory.refreshInBackground() }
        _ = try await shelf.told("gold")
        await shelf.clock.waitForSleepers(2)
        let successor = try await reload(warm: false)
        let task = Task { try await successor.refreshInBackground() }
        await shelf.clock.waitForSleepers(4)
        oldTask.cancel()
        _ = await oldTask.result
        shelf.pass(.seconds(30))
        await newGold.wait(calls: 1)
        await newRest.wait(calls: 1)
        await shelf.clock.waitForSleepers(2)
        #expect(newGold.requests.map(\.headers) == [["x-tier": "gold"]])
        #expect(shelf.gold.calls == 1)
        #expect(shelf.rest.calls == 1)
        task.cancel()
        _ = await task.result
        #expect(shelf.clock.sleepers == 0)
    }

    @Test
    func `by the config: a memory goes on over a reload in which its fields and its upstream have changed`()
        async throws
    {
        let files = try ["a", "b"].map(file)
        let first = try makeProvider("{ type: memory, upstream: \(files[0]) }", resources: resources)
        #expect(try await first.provider.ask().steps == ["file: fetched", "p: miss"])
        let second = try makeProvider(
            "{ type: memory, ttl: 60s, upstream: \(files[1]) }", resources: resources, replacing: first.assembly)
        let answer = try await second.provider.ask()
        #expect(answer.steps == ["p: hit"])
        #expect(answer.snapshot.revision == makeCatalogue("a").revision)
        #expect(answer.freshness?.freshUntil == answer.snapshot.fetchedAt + 60)
    }

    @Test
    func `by the config: an unchanged memory is taken over, a graph with another division leaves it as it is`()
        async throws
    {
        let file = try file("a")
        let other =
            "{ type: audience, header: X-Tier, cases: { a: \(file) }, otherwise: { type: file, path: /none/x } }"
        let first = try makeProvider("{ type: memory, upstream: \(file) }", resources: resources)
        #expect(try await first.provider.ask().steps == ["file: fetched", "p: miss"])
        let refused = try makeProvider(
            "{ type: memory, upstream: \(other) }", resources: resources, replacing: first.assembly)
        await #expect(throws: ProductsFailure.self) { try await refused.provider.ask() }
        try Files.remove(directory("a.json"))
        let next = try makeProvider(
            "{ type: memory, upstream: \(file) }", resources: resources, replacing: first.assembly)
        for provider in [first.provider, next.provider] {
            #expect(try await provider.ask().steps == ["p: hit"])
        }
    }

    @Test func `the rules of a refused successor are not those of the requests on the graph in force`() async throws {
        _ = try await shelf.told("gold")
        shelf.pass(.seconds(60))
        newGold.fails(MemoryFixture.refused)
        let strict = copy(
            FreshnessPolicy(ttl: .seconds(5), staleWhileRevalidate: .zero, staleIfError: .seconds(5)))
        await #expect(throws: ProductsFailure.self) { try await shelf.told("gold", by: strict) }
        shelf.gold.hold()
        #expect(try await shelf.told("gold") == "Gold stale")
        await shelf.gold.wait(parked: 1)
        shelf.gold.release()
    }

    @Test func `what a refused successor gets, and what it fails at, is not the graph's in force`() async throws {
        _ = try await shelf.told("gold")
        _ = try await shelf.told(nil)
        shelf.pass(.seconds(100))
        shelf.works(newGold, "NewGold")
        newRest.fails(MemoryFixture.refused)
        let refused = shelf.successor(cases: ["gold": newGold], otherwise: newRest)
        #expect(try await shelf.told("gold", by: refused) == "NewGold stale")
        #expect(try await shelf.told(nil, by: refused) == "Rest stale")
        #expect(try await shelf.told("gold") == "Gold stale")
        #expect(try await shelf.told(nil) == "Rest stale")
        #expect(try await shelf.told(nil) == "Rest hit")
    }

    /// A source that reads a file of this name with a catalogue of it.
    private func file(_ name: String) throws -> String {
        let path = directory("\(name).json")
        try Files.create(path, makeBody(name))
        return "{ type: file, path: \(path) }"
    }

    private var resources: ComponentResources {
        makeResources(shelf.log, shelf.wall.wallClock)
    }

    /// A copy of the memory over one other provider.
    private func copy(
        _ policy: FreshnessPolicy, node: String = "memory", isElsewhere: Bool = false
    ) -> MemoryProductsProviderDecorator {
        MemoryProductsProviderDecorator(
            upstream: newGold,
            variants: MemoryVariants(
                division: shelf.memory.variants.division, policy: policy, node: node, uptime: Uptime(of: shelf.clock),
                following: shelf.memory.variants, isElsewhere: isElsewhere),
            wallClock: shelf.wall.wallClock, clock: shelf.clock, logger: shelf.log.logger)
    }

    /// The successor, with other providers behind it that work.
    private func reload(warm: Bool = true) async throws -> MemoryProductsProviderDecorator {
        if warm {
            _ = try await shelf.told("gold")
            _ = try await shelf.told(nil)
        }
        shelf.works(newGold, "NewGold")
        shelf.works(newRest, "NewRest")
        return shelf.successor(cases: ["gold": newGold], otherwise: newRest)
    }
}
