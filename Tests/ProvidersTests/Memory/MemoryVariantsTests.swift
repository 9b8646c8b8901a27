internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Tracing

@testable internal import Providers

/// A memory above an audience: what is meant for one audience must never reach another.
@Suite(.timeLimit(.minutes(1)))
struct MemoryVariantsTests {
    @Test func `each audience has its own last answer, and one refresh of its own`() async throws {
        let shelf = AudienceFixture()
        #expect(try await shelf.told("gold") == "Gold miss")
        #expect(try await shelf.told(nil) == "Rest miss")
        for _ in 0..<3 {
            #expect(try await shelf.told("gold") == "Gold hit")
            #expect(try await shelf.told("bronze") == "Rest hit")
        }
        #expect(shelf.gold.calls == 1)
        #expect(shelf.rest.calls == 1)
    }

    @Test func `whatever values come, there are no more variants than variants`() async throws {
        let shelf = AudienceFixture()
        for number in 0..<500 { _ = try await shelf.told("value \(number)") }
        _ = try await shelf.told("gold")
        #expect(shelf.memory.variants.all.count == 2)
        #expect(shelf.rest.calls == 1)
    }

    @Test
    func `a refresh asks with the deciding headers of the request that caused it, and nothing else of it`() async throws
    {
        let shelf = AudienceFixture()
        _ = try await shelf.memory.products(
            for: ProductsRequest(headers: ["x-tier": "gold", "x-user": "me"], analyticsOptOut: true))
        let request = try #require(shelf.gold.requests.first)
        #expect(request.headers == ["x-tier": "gold"])
        #expect(request.analyticsOptOut == false)
    }

    @Test
    func `who asks makes no difference: a request is told what others caused, and only who caused it is named`()
        async throws
    {
        let shelf = AudienceFixture()
        for number in 0..<5 {
            let trace = TraceContext(parent: "00-0af7651916cd43dd8448eb211c80319\(number)-b7ad6b7169203331-01")
            let cause = RequestIdentity(givenID: "request-\(number)", serial: (1, 2), trace: trace)
            _ = try await shelf.told("gold", cause: cause)
        }
        #expect(shelf.memory.variants.all.count == 1)
        #expect(shelf.gold.causes.map(\.?.id) == ["request-0"])
        #expect(shelf.gold.causes.map(\.?.trace?.traceID) == ["0af7651916cd43dd8448eb211c803190"])
    }

    @Test func `one audience's outage is none of the other's`() async throws {
        let shelf = AudienceFixture()
        _ = try await shelf.told("gold")
        shelf.rest.fails(MemoryFixture.refused)
        let failure = await #expect(throws: ProductsFailure.self) { try await shelf.told(nil) }
        #expect(failure?.token == "unavailable")
        #expect(try await shelf.told("gold") == "Gold hit")
        shelf.pass(.seconds(100))
        #expect(try await shelf.told("gold") == "Gold stale")
        #expect(try await shelf.told("gold") == "Gold hit")
    }

    @Test func `a thousand callers of each audience at the moment of expiry cause one refresh for each`() async throws {
        let shelf = AudienceFixture()
        _ = try await shelf.told("gold")
        _ = try await shelf.told(nil)
        shelf.pass(.seconds(100))
        shelf.gold.hold()
        shelf.rest.hold()
        let arrived = Observed(0)
        let told = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    arrived.update { $0 += 1 }
                    let value = number.isMultiple(of: 2) ? "gold" : "value \(number)"
                    return try await "\(value.prefix(4)): \(shelf.told(value))"
                }
            }
            await arrived.wait { $0 == 2000 }
            await shelf.gold.wait(parked: 1)
            await shelf.rest.wait(parked: 1)
            shelf.gold.release()
            shelf.rest.release()
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(told.isSubset(of: ["gold: Gold stale", "gold: Gold hit", "valu: Rest stale", "valu: Rest hit"]))
        #expect(shelf.gold.calls == 2)
        #expect(shelf.rest.calls == 2)
    }

    @Test(arguments: 0..<20)
    func `stale answers are the own audience's too, in whatever order requests and refreshes come`(seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed: seed)
        let shelf = AudienceFixture()
        var answers = 0
        for _ in 0..<200 {
            let value = ["gold", nil, "bronze", " gold "].randomElement(using: &random) ?? nil
            let isGold = value?.contains("gold") == true
            switch Int.random(in: 0..<6, using: &random) {
            case 0: shelf.pass(.seconds(Int.random(in: 1...200, using: &random)))
            case 1: shelf.gold.fails(MemoryFixture.refused)
            case 2: shelf.rest.fails(MemoryFixture.refused)
            case 3: shelf.works()
            default:
                do {
                    #expect(try await shelf.told(value).hasPrefix(isGold ? "Gold" : "Rest"))
                    answers += 1
                } catch ProductsFailure.unavailable {
                    continue
                }
            }
        }
        #expect(answers > 20)
    }

    @Test func `memories below an audience know nothing of it and have one variant each`() async throws {
        let gold = MemoryFixture()
        let rest = MemoryFixture()
        gold.works("Gold")
        rest.works("Rest")
        let strategy = AudienceProductsProviderStrategy(
            header: "x-tier", cases: ["gold": gold.memory], otherwise: rest.memory)
        for (value, name) in [("gold", "Gold"), ("bronze", "Rest"), ("gold", "Gold"), ("iron", "Rest")] {
            let answer = try await strategy.products(for: ProductsRequest(headers: ["x-tier": value]))
            #expect(answer.snapshot.revision == makeCatalogue(name).revision)
        }
        #expect(gold.upstream.calls == 1)
        #expect(rest.upstream.calls == 1)
        #expect(gold.memory.variants.all.count == 1)
    }

    @Test func `in the background every audience that was ever asked for is refreshed`() async throws {
        let shelf = AudienceFixture()
        let task = Task { try await shelf.memory.refreshInBackground() }
        await shelf.clock.waitForSleepers()
        #expect(shelf.gold.calls == 0)
        #expect(shelf.rest.calls == 1)
        #expect(try await shelf.told("gold") == "Gold miss")
        await shelf.clock.waitForSleepers(2)
        shelf.pass(.seconds(30))
        await shelf.gold.wait(calls: 2)
        await shelf.rest.wait(calls: 2)
        await shelf.clock.waitForSleepers(2)
        #expect(shelf.gold.requests.map(\.headers) == [["x-tier": "gold"], ["x-tier": "gold"]])
        task.cancel()
        _ = await task.result
        #expect(shelf.clock.sleepers == 0)
    }
}
