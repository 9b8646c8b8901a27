import Concurrency
import FileSystem
import FoundationEssentials
import Products
import TestSupport
import Testing

@testable import Persistence

/// What a wrong clock has dated.
@Suite struct SnapshotDatesTests {
    @Test func `a generation from the future is a day old, and stays as old when its time has come`() async throws {
        let directory = try TemporaryDirectory()
        let wall = ManualWallClock()
        let dated = wall.now.addingTimeInterval(3_600)
        try await makeStore(directory.path).save(
            try makeSnapshot(fetchedAt: dated.timeIntervalSince1970))
        let store = makeStore(directory.path, Retention(keep: 3), wall: wall)
        let first = try #require(try await store.stored())
        #expect(first.age(at: wall.now) == .seconds(86_400))
        wall.advance(by: .seconds(7_200))
        let second = try #require(try await store.stored())
        #expect(second.fetchedAt == first.fetchedAt)
        try await store.save(try makeSnapshot("Cup", fetchedAt: wall.now.timeIntervalSince1970))
        #expect(try #require(try await store.stored()).age(at: wall.now) == .zero)
    }
    /// A store by a clock that the test holds, on a disk that is full for a while.
    private final class Fixture: Sendable {
        let directory: TemporaryDirectory
        let wall = ManualWallClock()
        let isFull = Mutex(false)

        init() throws { directory = try TemporaryDirectory() }

        func store() -> JSONFileProductsStore {
            var disk = StoreDisk.system
            disk.create = { [self] name, parts throws(FileSystemError) in
                if isFull.withLock({ $0 }) { throw FileSystemError(.write, path: name, code: 28) }
                try Files.create(name, parts: parts)
            }
            return JSONFileProductsStore(
                directory: directory.path, retention: Retention(keep: 9), logger: LogRecorder().logger,
                timeout: .seconds(30), wallClock: wall.wallClock, disk: disk)
        }

        func snapshot(_ name: String) throws -> ProductsSnapshot {
            try makeSnapshot(name, fetchedAt: wall.now.timeIntervalSince1970)
        }
    }

    /// The first look comes before and after the time of the older one, which the clock from before has dated.
    @Test(arguments: [10, 3_700])
    func `what is on the disk is older than what could not be saved, whatever its date`(later: Int) async throws {
        let fixture = try Fixture()
        let store = fixture.store()
        try await store.save(try fixture.snapshot("Mug"))
        fixture.wall.advance(by: .seconds(-3_600))
        fixture.isFull.withLock { $0 = true }
        let newer = try fixture.snapshot("Cup")
        await #expect(throws: ProductsFailure.self) { try await store.save(newer) }
        fixture.wall.advance(by: .seconds(later))
        let older = try #require(try await store.stored())
        #expect(older.revision != newer.revision && older.fetchedAt < newer.fetchedAt)
        fixture.isFull.withLock { $0 = false }
        try await store.save(try fixture.snapshot("Cup"))
        #expect(try #require(try await store.stored()).age(at: fixture.wall.now) == .zero)
    }

    @Test func `what is on the disk is older than what a cache gave and could not be saved`() async throws {
        let fixture = try Fixture()
        let store = fixture.store()
        try await store.save(try fixture.snapshot("Mug"))
        fixture.wall.advance(by: .seconds(60))
        fixture.isFull.withLock { $0 = true }
        let newer = ProductsSnapshot(
            catalogue: try fixture.snapshot("Cup").catalogue, fetchedAt: fixture.wall.now - 3_600,
            checkedAt: fixture.wall.now, origin: .network)
        await #expect(throws: ProductsFailure.self) { try await store.save(newer) }
        #expect(try #require(try await store.stored()).fetchedAt < newer.fetchedAt)
    }

    @Test func `a clock that is set back makes no generation younger`() async throws {
        let fixture = try Fixture()
        let store = fixture.store()
        try await store.save(try fixture.snapshot("Mug"))
        for (step, age) in [(40, 40), (-3_600, 40), (-3_600, 40), (-86_400 * 3, 40)] {
            fixture.wall.advance(by: .seconds(step))
            #expect(try #require(try await store.stored()).age(at: fixture.wall.now) == .seconds(age))
        }
        fixture.wall.advance(by: .seconds(60))
        #expect(try #require(try await store.stored()).age(at: fixture.wall.now) == .seconds(100))
    }

    @Test func `a clock that is set back makes a pinned generation no younger, nor does what is saved since`()
        async throws
    {
        let fixture = try Fixture()
        let store = fixture.store()
        try await store.save(try fixture.snapshot("Mug"))
        try await store.save(try fixture.snapshot("Cup"))
        let pinning = fixture.store()
        try await pinning.pin(
            .generation(1), by: OperatorOrder(at: fixture.wall.now, by: "test", reason: nil))
        fixture.wall.advance(by: .seconds(40))
        #expect(try #require(await pinning.pinned()).snapshot.age(at: fixture.wall.now) == .seconds(40))
        fixture.wall.advance(by: .seconds(-3_600))
        for age in [40, 100] {
            #expect(try #require(await pinning.pinned()).snapshot.age(at: fixture.wall.now) == .seconds(age))
            try await pinning.save(try fixture.snapshot("Jar \(age)"))
            fixture.wall.advance(by: .seconds(60))
        }
    }
}
