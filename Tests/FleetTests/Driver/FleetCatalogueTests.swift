import Concurrency
import Fleet
import FoundationEssentials
import Persistence
import Products
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(1)))
struct FleetRefreshTests {
    private let rig = FleetRig()

    @Test func `one replica asks its upstream for all, once an interval`() async throws {
        let replicas = ["a", "b", "c"].map { rig.replica($0) }
        for replica in replicas { try await replica.connected() }
        for round in 1...3 {
            let answers = try await rig.result {
                try await withThrowingTaskGroup(of: ProductsAnswer.self) { group in
                    for replica in replicas { group.addTask { try await replica.asking()() } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(try answers.allSatisfy { try $0.snapshot.revision == revision("Mug") })
            #expect(replicas.map(\.upstream.calls).reduce(0, +) == round)
            #expect(rig.server.model.current?.generation == 1, "the same products are only confirmed")
            rig.clock.advance(by: .seconds(30))
        }
        #expect(replicas.map { $0.commits("confirmed") }.reduce(0, +) == 2)
    }

    @Test func `a commit of another replica is given at once, and is a change`() async throws {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        _ = try await a.ask()
        try await rig.pass { b.store.report.served != nil }
        let answer = try await b.ask()
        #expect(answer.trail.map(\.description) == ["caching: hit"])
        #expect(answer.snapshot.origin == .network)
        let changes = Mutex(0)
        let listener = Task { [stream = b.store.changes] in for await _ in stream { changes.withLock { $0 += 1 } } }
        defer { listener.cancel() }
        a.upstream.gives("Cup")
        rig.clock.advance(by: .seconds(30))
        let own = try await a.ask()
        #expect(own.trail.map(\.description) == ["http: fetched", "caching: saving"])
        try await rig.pass { changes.withLock { $0 } == 1 }
        #expect(b.store.hasNewer(than: answer.mark) && b.store.hasNewer(than: .none))
        let next = try await b.ask()
        #expect(try next.snapshot.revision == revision("Cup"))
        #expect(!b.store.hasNewer(than: next.mark))
        #expect(b.upstream.calls == 0)
        _ = try await b.ask(RefreshOrder(isForced: true))
        #expect(b.upstream.calls == 1, "an operator's order asks")
    }

    @Test
    func `a refresh of another replica that finds nothing new is a change, for memories that pause after failures`()
        async throws
    {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        a.upstream.behaves { [wallClock = rig.wallClock] in
            ProductsAnswer(snapshot: try snapshot("Mug", fetchedAt: wallClock.now()))
        }
        _ = try await a.ask()
        let first = try await b.ask().snapshot
        let changes = Mutex(0)
        let listener = Task { [stream = b.store.changes] in for await _ in stream { changes.withLock { $0 += 1 } } }
        defer { listener.cancel() }
        rig.clock.advance(by: .seconds(30))
        _ = try await a.ask()
        try await rig.pass { changes.withLock { $0 } == 1 }
        let told = try await b.ask().snapshot
        #expect(told.revision == first.revision && told.fetchedAt > first.fetchedAt.addingTimeInterval(20))
        #expect(b.upstream.calls == 0)
        rig.clock.advance(by: .seconds(30))
        _ = try await a.ask()
        try await rig.pass { changes.withLock { $0 } == 2 }
        _ = try await b.ask(RefreshOrder())
        #expect(b.upstream.calls == 1, "an operator's order asks, whatever another replica brought")
    }

    @Test func `replicas that start read the storage, not the upstream`() async throws {
        let a = rig.replica("a")
        try await a.connected()
        _ = try await a.ask()
        try await a.stop()
        for name in ["b", "c"] {
            let replica = rig.replica(name)
            replica.upstream.fails(.unreachable(.refused, detail: "dead"))
            try await replica.connected()
            #expect(try await replica.ask().snapshot.revision == revision("Mug"))
            #expect(replica.upstream.calls == 0)
        }
    }

    @Test func `a failure of the upstream pauses the fleet`() async throws {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        rig.server.change { $0.attempt.failures = 6 }
        a.upstream.fails(.upstreamStatus(503, retryAfter: nil))
        #expect(try await a.failure() == .upstreamStatus(503, retryAfter: nil))
        let failure = try await b.failure()
        #expect(failure?.token == "unavailable" && failure?.causeToken == "status-503")
        #expect(
            "\(failure, default: "")".hasPrefix("replica a: upstream answered 503; the upstream is asked again after "))
        #expect(failure?.retryAfter.map { $0 > .zero && $0 <= .seconds(30) } == true)
        #expect(b.upstream.calls == 0)
    }

    @Test func `a replica without a way to the upstream hands the turn on`() async throws {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        a.upstream.fails(.unreachable(.refused, detail: "cut"))
        #expect(try await a.failure()?.token == "refused")
        #expect(try await b.ask().snapshot.revision == revision("Mug"))
        try await rig.pass { a.store.report.served != nil }
        #expect(try await a.ask().snapshot.revision == revision("Mug"))
        #expect((a.upstream.calls, b.upstream.calls) == (1, 1))
    }

    @Test func `a substitute is passed on, and not shared`() async throws {
        let a = rig.replica("a")
        try await a.connected()
        a.upstream.behaves {
            try answer("Old").preceded(by: [TrailStep(node: "http", outcome: .failed(.circuitOpen(retryAfter: .zero)))])
        }
        let given = try await a.ask()
        #expect(given.failure == .circuitOpen(retryAfter: .zero))
        #expect(rig.server.model.current == nil)
        #expect(a.store.report.served == nil)
    }

    @Test func `a fetch whose asker leaves before it begins is begun by the next`() async throws {
        let a = rig.replica("a")
        a.link.set { $0.isUp = false }
        a.start()
        let first = a.begin()
        try await eventually { a.asks == 1 }
        let second = a.begin()
        try await eventually { a.asks == 2 }
        first.cancel()
        _ = await first.result
        #expect(try await rig.result { try await second.value }.snapshot.revision == revision("Mug"))
        #expect(a.upstream.calls == 1)
    }

    @Test
    func `many asks at once are one fetch, and one that is cancelled takes nothing from the others`() async throws {
        let a = rig.replica("a")
        try await a.connected()
        a.upstream.hold()
        let tasks = (0..<50).map { _ in a.begin() }
        try await rig.pass { a.upstream.calls == 1 && a.asks == 50 }
        for task in tasks.prefix(25) { task.cancel() }
        a.upstream.release()
        try await rig.pass { a.store.report.served != nil }
        for task in tasks.dropFirst(25) {
            #expect(try await task.value.snapshot.revision == revision("Mug"))
        }
        #expect(a.upstream.calls == 1)
    }

    @Test func `an ask ends at its deadline, and the fetch goes on`() async throws {
        let a = rig.replica("a")
        try await a.connected()
        a.upstream.hold()
        let failure = try await rig.result { [provider = a.provider] in
            let request = ProductsRequest(deadline: .now + .milliseconds(300))
            do {
                _ = try await provider.products(for: request)
                return nil as ProductsFailure?
            } catch let failure as ProductsFailure {
                return failure
            }
        }
        #expect(failure == .timedOut(after: nil))
        try await rig.pass { a.upstream.calls == 1 }
        a.upstream.release()
        try await rig.pass { rig.server.model.current != nil }
    }

    @Test func `what is fetched for nobody any more is a change`() async throws {
        let a = rig.replica("a")
        try await a.connected()
        _ = try await a.ask()
        rig.clock.advance(by: .seconds(30))
        let changes = Mutex(0)
        let listener = Task { [stream = a.store.changes] in for await _ in stream { changes.withLock { $0 += 1 } } }
        defer { listener.cancel() }
        a.upstream.gives("Cup")
        a.upstream.hold()
        let asking = a.begin()
        try await rig.pass { a.upstream.calls == 2 }
        asking.cancel()
        _ = await asking.result
        a.upstream.release()
        try await rig.pass { changes.withLock { $0 } == 1 }
        #expect(try await a.ask().snapshot.revision == revision("Cup"))
        #expect(a.upstream.calls == 2)
    }

    @Test
    func `an order that supersedes a refresh is about what came after it, whichever replica refreshes`() async throws {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        _ = try await a.ask()
        try await rig.pass { b.store.report.served != nil }
        rig.clock.advance(by: .seconds(30))
        a.upstream.hold()
        let first = a.begin()
        try await rig.pass { a.upstream.calls == 2 }
        rig.clock.advance(by: .milliseconds(100))
        b.upstream.gives("Cup")
        let second = Task { [asking = b.asking(RefreshOrder(supersedes: true))] in try await asking() }
        try await rig.pass { b.asks == 1 }
        a.upstream.release()
        #expect(try await rig.result { try await first.value }.snapshot.revision == revision("Mug"))
        #expect(try await rig.result { try await second.value }.snapshot.revision == revision("Cup"))
        #expect(b.upstream.calls == 1)
    }

    @Test func `requests without a memory above take the turn at most once a second`() async throws {
        let a = rig.replica("a")
        a.upstream.behaves { [wallClock = rig.wallClock] in
            ProductsAnswer(snapshot: try snapshot("Mug", fetchedAt: wallClock.now()))
        }
        try await a.connected()
        _ = try await a.ask()
        let provider = a.provider
        for _ in 0..<100 { _ = try await provider.products(for: ProductsRequest()) }
        #expect(a.upstream.calls == 1)
        #expect(a.link.count { if case .acquire = $0 { true } else { false } } == 1)
        rig.clock.advance(by: .seconds(1))
        _ = try await a.ask()
        #expect(a.upstream.calls == 2)
    }

    @Test(arguments: [Duration.seconds(-600), .zero, .seconds(600)])
    func `times are those of the own clock`(skew: Duration) async throws {
        let rig = FleetRig(skew: skew)
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        _ = try await a.ask()
        // An adoption that is still running would date the catalogue from before the step by the clock after it.
        try await rig.pass { b.store.report.served != nil }
        rig.clock.advance(by: .seconds(5))
        let asked = rig.wallClock.now()
        let fetchedAt = try await b.ask().snapshot.fetchedAt
        #expect(fetchedAt <= rig.wallClock.now())
        #expect(abs(fetchedAt.timeIntervalSince(asked) + 5) < 3)
    }

    @Test
    func `the run of a reload takes the place of the one before, and the last gives its turn back`() async throws {
        let a = rig.replica("a")
        try await a.connected()
        let second = Task.detached { [provider = a.provider] in await provider.run() }
        try await rig.pass { a.store.report.isConnected }
        try await a.stop()
        try await rig.pass { a.store.report.isConnected }
        a.upstream.hold()
        let asking = a.begin()
        try await rig.pass { a.upstream.calls == 1 }
        #expect(rig.server.model.turn != nil)
        #expect(a.store.report.holdsTurn)
        second.cancel()
        try await rig.result { await second.value }
        #expect(rig.server.model.turn == nil)
        #expect(!a.store.report.isConnected)
        a.upstream.release()
        asking.cancel()
        _ = await asking.result
    }
}
