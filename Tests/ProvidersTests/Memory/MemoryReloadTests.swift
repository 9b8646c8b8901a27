internal import Concurrency
internal import Configuration
internal import FileSystem
internal import FoundationEssentials
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

/// What a memory leaves to the one that a reload puts in its place.
@Suite(.timeLimit(.minutes(1)))
struct MemoryReloadTests {
    private let shelf = AudienceFixture()
    private let newGold = ScriptedProvider()
    private let newRest = ScriptedProvider()

    @Test("answers are kept, whatever is behind them now, until their time is over")
    func kept() async throws {
        let successor = try await reload()
        #expect(try await shelf.told("gold", by: successor) == "Gold hit")
        #expect(try await shelf.told(nil, by: successor) == "Rest hit")
        #expect(newGold.calls + newRest.calls == 0)
        shelf.pass(.seconds(100))
        #expect(try await shelf.told("gold", by: successor) == "NewGold stale")
        #expect(shelf.gold.calls == 1)
        #expect(newGold.requests.map(\.lastGood?.revision) == [makeCatalogue("Gold").revision])
    }

    @Test(
        "under another division nothing is kept, as the same variant would mean other requests",
        arguments: [("x-tier", ["silver"]), ("x-tier", ["gold", "silver"]), ("x-role", ["gold"])])
    func otherDivision(header: String, cases: [String]) async throws {
        _ = try await shelf.told("gold")
        _ = try await shelf.told(nil)
        shelf.works(newGold, "NewGold")
        shelf.works(newRest, "NewRest")
        let successor = shelf.successor(
            header: header, cases: Dictionary(uniqueKeysWithValues: cases.map { ($0, newGold) }), otherwise: newRest)
        #expect(try await shelf.told(nil, by: successor) == "NewRest miss")
        #expect(try await shelf.told("gold") == "Gold hit")
    }

    @Test("a pause that the old upstream was given does not keep the new one from being asked, and nobody waits for it")
    func pause() async throws {
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

    @Test("the policy is the new one's, from the first request on")
    func policy() async throws {
        _ = try await shelf.told("gold")
        let policy = FreshnessPolicy(ttl: .seconds(5), staleWhileRevalidate: .zero, staleIfError: .seconds(7))
        let rooms = MemoryRooms(
            division: shelf.memory.rooms.division, policy: policy, node: "renamed", uptime: Uptime(of: shelf.clock),
            following: shelf.memory.rooms)
        let successor = MemoryProductsProviderDecorator(
            upstream: newGold, rooms: rooms, wallClock: shelf.wall.wallClock, clock: shelf.clock,
            logger: shelf.log.logger)
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

    @Test("another upstream is asked at once, behind the first answer, and once")
    func elsewhere() async throws {
        _ = try await shelf.told("gold")
        shelf.works(newGold, "NewGold")
        let rooms = MemoryRooms(
            division: shelf.memory.rooms.division, policy: FreshnessPolicy(ttl: .seconds(3600)), node: "memory",
            uptime: Uptime(of: shelf.clock), following: shelf.memory.rooms, isElsewhere: true)
        let successor = MemoryProductsProviderDecorator(
            upstream: newGold, rooms: rooms, wallClock: shelf.wall.wallClock, clock: shelf.clock,
            logger: shelf.log.logger)
        #expect(try await shelf.told("gold", by: successor) == "Gold hit")
        await newGold.wait(calls: 1)
        await shelf.log.wait(lines: 2)
        #expect(try await shelf.told("gold", by: successor) == "NewGold hit")
        #expect(newGold.calls == 1)
    }

    @Test("what the predecessor brings late does not replace what the successor has")
    func lateAnswer() async throws {
        _ = try await shelf.told("gold")
        shelf.pass(.seconds(100))
        shelf.gold.hold()
        let old = Task { try await shelf.told("gold") }
        await shelf.gold.wait(parked: 1)
        let successor = try await reload(warm: false)
        #expect(try await shelf.told("gold", by: successor) == "NewGold stale")
        shelf.gold.release()
        #expect(try await old.value == "Gold stale")
        #expect(try await shelf.told("gold", by: successor) == "NewGold hit")
        #expect(newGold.calls == 1)
    }

    @Test("what the predecessor brings late is better than nothing")
    func lateFirstAnswer() async throws {
        shelf.gold.hold()
        let old = Task { try await shelf.told("gold") }
        await shelf.gold.wait(parked: 1)
        newGold.fails(MemoryFixture.refused)
        let successor = shelf.successor(cases: ["gold": newGold], otherwise: newRest)
        await #expect(throws: ProductsFailure.self) { try await shelf.told("gold", by: successor) }
        shelf.gold.release()
        #expect(try await old.value == "Gold miss")
        #expect(try await shelf.told("gold", by: successor) == "Gold stale")
    }

    @Test("a failure that the predecessor brings late says nothing about the new upstream")
    func lateFailure() async throws {
        _ = try await shelf.told("gold")
        shelf.pass(.seconds(31))
        shelf.gold.fails(MemoryFixture.refused)
        shelf.gold.hold()
        #expect(try await shelf.told("gold") == "Gold stale")
        await shelf.gold.wait(parked: 1)
        let successor = try await reload(warm: false)
        newGold.hold()
        #expect(try await shelf.told("gold", by: successor) == "Gold stale")
        await newGold.wait(parked: 1)
        shelf.gold.release()
        await shelf.log.wait(lines: 2)
        newGold.release()
        await shelf.log.wait(lines: 3)
        #expect(try await shelf.told("gold", by: successor) == "NewGold hit")
        #expect(shelf.log.seen == ["warning: upstream fails, serving the last good catalogue"])
    }

    @Test("in the background the successor goes on with every audience that was asked for")
    func background() async throws {
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

    @Test("by the config: a memory goes on over a reload in which its fields and its upstream have changed")
    func configured() async throws {
        let directory = try TemporaryDirectory()
        let files = try ["a", "b"].map { name in
            let path = directory("\(name).json")
            try Files.create(path, makeBody(name))
            return path
        }
        var resources = ComponentResources()
        resources.set(shelf.log.logger)
        resources.set(shelf.wall.wallClock)
        let first = try makeProvider(
            "{ type: memory, upstream: { type: file, path: \(files[0]) } }", resources: resources)
        #expect(try await first.provider.ask().steps == ["file: fetched", "p: miss"])
        let second = try makeProvider(
            "{ type: memory, ttl: 60s, upstream: { type: file, path: \(files[1]) } }", resources: resources,
            replacing: first.assembly)
        let answer = try await second.provider.ask()
        #expect(answer.steps == ["p: hit"])
        #expect(answer.snapshot.revision == makeCatalogue("a").revision)
        #expect(answer.freshness?.freshUntil == answer.snapshot.fetchedAt + 60)
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
