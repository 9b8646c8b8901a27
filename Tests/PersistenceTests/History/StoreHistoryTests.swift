import FileSystem
import FoundationEssentials
import Persistence
import Products
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(1)))
struct StoreHistoryTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func path(_ number: Int) -> String { directory("generation-000000000\(number).json") }

    @Test func `the history lists what the headers say, newest first`() async throws {
        let store = makeStore(directory.path)
        #expect(try await store.history().isEmpty)
        try await store.save(makeSnapshot("one", count: 2, fetchedAt: 1_769_860_800.5))
        try await store.save(makeSnapshot("two", count: 4, fetchedAt: 1_769_860_801, origin: .bundled))
        #expect(
            try await store.history() == [
                HistoryEntry(
                    generation: 2, revision: try makeCatalogue("two", count: 4).revision,
                    fetchedAt: Date(timeIntervalSince1970: 1_769_860_801), origin: .bundled, count: 4,
                    size: Files.status(of: path(2)).size),
                HistoryEntry(
                    generation: 1, revision: try makeCatalogue("one", count: 2).revision,
                    fetchedAt: Date(timeIntervalSince1970: 1_769_860_800.5), origin: .network, count: 2,
                    size: Files.status(of: path(1)).size),
            ])
    }

    @Test func `only the headers are read: what comes after them may be anything`() async throws {
        let store = makeStore(directory.path)
        for name in ["one", "two"] { try await store.save(makeSnapshot(name, count: 20)) }
        let start = try Files.read(path(1), prefix: 512)
        try Files.replace(path(1), with: start, temporary: directory("new"))
        #expect(try await store.history().map(\.generation) == [2, 1])
        try Files.replace(path(1), with: Array(start.dropFirst()), temporary: directory("new"))
        #expect(try await store.history().map(\.generation) == [2])
    }

    @Test func `snapshots are found by number, by the start of a revision, and the newest without either`() async throws
    {
        let store = makeStore(directory.path, keep: 9)
        for (index, name) in ["one", "two", "one"].enumerated() {
            try await store.save(makeSnapshot(name, fetchedAt: 1_769_860_800 + Double(index)))
        }
        let (one, two) = (try makeCatalogue("one").revision, try makeCatalogue("two").revision)
        #expect(try await store.snapshot(of: .newest).revision == one)
        #expect(try await store.snapshot(of: .generation(2)).revision == two)
        #expect(try await store.snapshot(of: .revision(two)).revision == two)
        let newest = try await store.snapshot(of: .revision(String(one.prefix(6))))
        #expect(newest.fetchedAt == Date(timeIntervalSince1970: 1_769_860_802))
        await #expect(throws: ProductsFailure.notStored) { try await store.snapshot(of: .generation(4)) }
        // Damage to one leaves another with the same products.
        try Files.replace(path(3), with: Files.read(path(3), prefix: 512), temporary: directory("new"))
        #expect(try await store.snapshot(of: .revision(one)).fetchedAt == Date(timeIntervalSince1970: 1_769_860_800))
        let failure = await #expect(throws: ProductsFailure.self) { try await store.snapshot(of: .generation(3)) }
        #expect(failure?.token == "store-failed")
    }

    @Test func `while one is pinned, the newest is still the newest`() async throws {
        let store = makeStore(directory.path)
        for name in ["good", "bad"] { try await store.save(makeSnapshot(name)) }
        try await store.pin(.generation(1), by: OperatorOrder(at: ManualWallClock().now, by: "me", reason: nil))
        #expect(try await store.snapshot(of: .newest).revision == makeCatalogue("bad").revision)
    }

    @Test func `what is being saved is in the history`() async throws {
        let store = makeStore(directory.path)
        store.saveLater(try makeSnapshot("new"))
        #expect(try await store.history().map(\.revision) == [makeCatalogue("new").revision])
    }

    @Test func `a store thins what its windows do not want, by the clock it is given`() async throws {
        let wall = ManualWallClock()
        let store = makeStore(directory.path, Retention(keep: 1, all: .seconds(60)), wall: wall)
        for second in [0.0, 50, 100, 105] {
            wall.now = Date(timeIntervalSince1970: 1_769_860_800 + second)
            try await store.save(makeSnapshot("at \(second)", fetchedAt: 1_769_860_800 + second))
        }
        #expect(try await store.history().map(\.generation) == [4, 3, 2])
    }
}
