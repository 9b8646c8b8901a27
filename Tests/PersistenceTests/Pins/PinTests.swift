import FileSystem
import FoundationEssentials
import Persistence
import Products
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(1)))
struct PinTests {
    private let directory: TemporaryDirectory
    private let wall = ManualWallClock()
    private let log = LogRecorder()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func store(keep: Int = 9) -> JSONFileProductsStore {
        makeStore(directory.path, Retention(keep: keep), log: log, wall: wall)
    }

    private func order(_ reason: String? = "wrong prices") -> OperatorOrder {
        OperatorOrder(at: Date(timeIntervalSince1970: 1_769_861_000.25), by: "request 1 from 10.0.0.7", reason: reason)
    }

    @Test func `a pinned generation from the future is a day old, and grows older`() async throws {
        try await store().save(try makeSnapshot("good", fetchedAt: wall.now.timeIntervalSince1970 + 3600))
        try await store().pin(.generation(1), by: order())
        let restarted = store()
        for seconds in [0.0, 60] {
            wall.advance(by: .seconds(seconds))
            let answer = try #require(await restarted.pinned())
            #expect(answer.snapshot.age(at: wall.now) == .seconds(86_400 + seconds))
            #expect((answer.standing == .pinned) && answer.snapshot.checkedAt == wall.now)
        }
    }

    /// Expects that a store, which may be a new one, gives this catalogue as pinned at this moment.
    private func expectPinned(
        _ name: String, by store: JSONFileProductsStore, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let revision = try makeCatalogue(name).revision
        let answer = try #require(await store.pinned(), sourceLocation: sourceLocation)
        #expect(answer.snapshot.revision == revision, sourceLocation: sourceLocation)
        #expect(answer.snapshot.checkedAt == max(wall.now, answer.snapshot.fetchedAt), sourceLocation: sourceLocation)
        #expect(answer.snapshot.origin == .store, sourceLocation: sourceLocation)
        #expect(answer.trail == [TrailStep(node: "disk", outcome: .pinned)], sourceLocation: sourceLocation)
    }

    private func expectUnpinned(
        _ name: String, by store: JSONFileProductsStore, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(await store.pinned() == nil, sourceLocation: sourceLocation)
        let answer = try await store.products(for: ProductsRequest())
        #expect(answer.snapshot.revision == (try makeCatalogue(name).revision), sourceLocation: sourceLocation)
        #expect(answer.trail == [TrailStep(node: "disk", outcome: .hit)], sourceLocation: sourceLocation)
    }

    @Test func `a pinned generation outlasts saves and restarts, until the pin is taken off, beside the newest`()
        async throws
    {
        let store = store()
        for name in ["good", "bad"] { try await store.save(makeSnapshot(name)) }
        try await expectUnpinned("bad", by: store)
        let pin = try await store.pin(.generation(1), by: order())
        #expect(pin == CataloguePin(generation: 1, revision: try makeCatalogue("good").revision, order: order()))
        try await expectPinned("good", by: store)
        wall.advance(by: .seconds(90 * 86400))
        try await store.save(makeSnapshot("worse"))
        store.saveLater(try makeSnapshot("worst"))
        try await expectPinned("good", by: store)
        #expect(try await store.stored()?.revision == makeCatalogue("worst").revision)
        await store.close(within: .seconds(30))
        let restarted = self.store()
        try await expectPinned("good", by: restarted)
        #expect(try await restarted.currentPin() == pin)
        #expect(try await restarted.unpin() == pin)
        try await expectUnpinned("worst", by: restarted)
        try await expectUnpinned("worst", by: store)
        #expect(try await restarted.unpin() == nil)
        #expect(try await store.currentPin() == nil)
        #expect(!Files.exists(directory("pin.json")))
    }

    @Test func `a pin replaces another, and goes by number, by the start of a revision, or to the newest`() async throws
    {
        let store = store()
        for name in ["one", "two", "three"] { try await store.save(makeSnapshot(name)) }
        let start = try makeCatalogue("two").revision.prefix(7).uppercased()
        #expect(try await store.pin(.revision(start), by: order()).generation == 2)
        try await expectPinned("two", by: store)
        #expect(try await store.pin(.newest, by: order(nil)).order.reason == nil)
        try await expectPinned("three", by: self.store())
        try await store.pin(.generation(1), by: order())
        try await expectPinned("one", by: store)
    }

    @Test func `what is not there cannot be pinned, and the pin before stays`() async throws {
        let store = store()
        await #expect(throws: ProductsFailure.notStored) { try await store.pin(.newest, by: order()) }
        #expect(try Files.list(directory.path).isEmpty)
        for name in ["good", "bad"] { try await store.save(makeSnapshot(name)) }
        try await store.pin(.generation(1), by: order())
        for target in [HistoryTarget.generation(7), .revision("zz"), .revision("")] {
            await #expect(throws: ProductsFailure.notStored) { try await store.pin(target, by: order()) }
        }
        try Files.replace(directory("generation-0000000002.json"), with: [1], temporary: directory("new"))
        let failure = await #expect(throws: ProductsFailure.self) { try await store.pin(.generation(2), by: order()) }
        #expect(failure?.token == "store-failed")
        try await expectPinned("good", by: store)
    }

    @Test func `a pin of another process is seen at the next load, and so is its end`() async throws {
        let (ours, theirs) = (store(), store())
        for name in ["good", "bad"] { try await ours.save(makeSnapshot(name)) }
        try await expectUnpinned("bad", by: ours)
        try await theirs.pin(.generation(1), by: order())
        try await expectPinned("good", by: ours)
        try await theirs.pin(.generation(2), by: order())
        try await expectPinned("bad", by: ours)
        try await theirs.unpin()
        try await expectUnpinned("bad", by: ours)
    }

    @Test func `the pinned generation is never removed, by whichever store prunes`() async throws {
        let (ours, theirs) = (store(keep: 1), store(keep: 1))
        try await ours.save(makeSnapshot("good"))
        try await ours.pin(.newest, by: order())
        for round in 0..<5 { try await (round % 2 == 0 ? theirs : ours).save(makeSnapshot("bad \(round)")) }
        #expect(try await ours.history().map(\.generation) == [6, 1])
        try await expectPinned("good", by: store())
        try await theirs.unpin()
        try await theirs.save(makeSnapshot("new"))
        #expect(try await ours.history().map(\.generation) == [7])
    }

    @Test func `a pin that is cut off while it is written leaves the one before`() async throws {
        let store = store()
        for name in ["good", "bad"] { try await store.save(makeSnapshot(name)) }
        try await store.pin(.generation(2), by: order())
        let next = try Files.read(directory("pin.json"))
        try await store.pin(.generation(1), by: order())
        for length in [0, 1, next.count / 2, next.count] {
            try Files.create(directory(".pin.json.\(length).tmp"), Array(next.prefix(length)))
            try await expectPinned("good", by: self.store())
        }
        try await store.save(makeSnapshot("worse"))
        #expect(try Files.list(directory.path).allSatisfy { !$0.hasSuffix(".tmp") })
        try await expectPinned("good", by: self.store())
    }

    @Test func `pins of two stores and saves at once leave a whole pin and lose no generation of it`() async throws {
        let stores = [store(keep: 1), store(keep: 1)]
        try await stores[0].save(makeSnapshot("first"))
        try await withThrowingTaskGroup { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    for round in 0..<15 {
                        let pin = try await store.pin(.newest, by: order("\(index) \(round)"))
                        let found = try await store.currentPin()
                        #expect(found == pin || found?.order.reason?.hasPrefix("\(1 - index) ") == true)
                        try await store.save(makeSnapshot("save \(index) \(round)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        let pin = try #require(try await store().currentPin())
        #expect(await store().pinned()?.snapshot.revision == pin.revision)
        #expect(try await store().history().map(\.generation).contains(pin.generation))
    }
}
