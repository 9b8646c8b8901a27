import FileSystem
import FoundationEssentials
import Glibc
import Products
import TestSupport
import Testing

@testable import Persistence

/// A confirmation of the newest catalogue is written beside its file, which is not written again.
@Suite struct ConfirmationTests {
    private static let start = 1_769_860_800.125
    private let directory: TemporaryDirectory
    private var path: String { directory("generation-0000000001.json") }
    private var confirmation: String { directory("confirmed-0000000001.json") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A snapshot of the same products, confirmed later by some seconds.
    private func snapshot(_ name: String = "Mug", after seconds: Double = 0) throws -> ProductsSnapshot {
        try makeSnapshot(name, fetchedAt: Self.start + seconds)
    }

    private func isConfirmed() -> Bool { Files.exists(confirmation) }

    /// What another process finds.
    private func found() async throws -> Double? {
        try await makeStore(directory.path).stored().map { $0.fetchedAt.timeIntervalSince1970 - Self.start }
    }

    @Test func `a confirmation leaves the products alone, and a restart finds its times and its source`() async throws {
        let store = makeStore(directory.path)
        try await store.save(snapshot())
        let before = try Files.status(of: path)
        let statement = SourceStatement(.offline, cacheStatus: "larder; hit")
        let later = ProductsSnapshot(
            catalogue: try makeCatalogue(), fetchedAt: Date(timeIntervalSince1970: Self.start + 60),
            checkedAt: Date(timeIntervalSince1970: Self.start + 90), origin: .network, source: statement)
        try await store.save(later)
        #expect(try Files.status(of: path) == before)
        #expect(try Files.status(of: confirmation).size < 600)
        let found = try #require(try await makeStore(directory.path).stored())
        #expect(found.fetchedAt == later.fetchedAt && found.checkedAt == later.checkedAt)
        #expect(found.source == statement && found.origin == .store)
        let history = try await store.history()
        #expect(history.map(\.fetchedAt) == [later.fetchedAt])
        #expect(
            try GenerationArchive(directory: directory.path).contents().generations.map(\.statement?.fetchedAt) == [
                later.fetchedAt
            ])
    }

    @Test func `a running store of another process sees a confirmation`() async throws {
        let (store, other) = (makeStore(directory.path), makeStore(directory.path))
        try await store.save(snapshot())
        _ = try await other.stored()
        try await store.save(snapshot(after: 60))
        #expect(isConfirmed())
        #expect(try await other.stored()?.fetchedAt.timeIntervalSince1970 == Self.start + 60)
    }

    @Test func `once an hour the whole is written again`() async throws {
        let store = makeStore(directory.path)
        for seconds in [0.0, 3599] { try await store.save(snapshot(after: seconds)) }
        #expect(isConfirmed())
        let before = try Files.status(of: path)
        try await store.save(snapshot(after: 3600))
        #expect(!isConfirmed())
        #expect(try Files.status(of: path).inode != before.inode)
        #expect(try await found() == 3600)
    }

    @Test(arguments: [-60.0, 0])
    func `after a clock that was set back the whole is written`(seconds: Double) async throws {
        let store = makeStore(directory.path)
        try await store.save(snapshot())
        try await store.save(snapshot("Other", after: 50))
        try await store.save(snapshot("Other", after: 60))
        #expect(Files.exists(directory("confirmed-0000000002.json")))
        try await store.save(snapshot("Other", after: 50 + seconds))
        #expect(!Files.exists(directory("confirmed-0000000002.json")))
        #expect(try await found() == 50 + seconds)
    }

    @Test func `a file that has changed since it was written or read is healed by the next confirmation`() async throws
    {
        let store = makeStore(directory.path)
        try await store.save(snapshot())
        let whole = try Files.read(path)
        var damaged = whole
        damaged[damaged.count - 20] ^= 1
        try Files.replace(path, with: damaged, temporary: directory("new"))
        try await store.save(snapshot(after: 60))
        #expect(!isConfirmed())
        #expect(try await found() == 60)
        #expect(try Files.read(path).suffix(40) == whole.suffix(40))
    }

    @Test func `a store that has not seen the file writes it whole, and one that has read it does not`() async throws {
        try await makeStore(directory.path).save(snapshot())
        try await makeStore(directory.path).save(snapshot(after: 60))
        #expect(!isConfirmed())
        let reader = makeStore(directory.path)
        _ = try await reader.stored()
        try await reader.save(snapshot(after: 90))
        #expect(isConfirmed())
    }

    @Test(arguments: ["damaged", "of another number", "of other products", "older", "a pipe", "a folder", "empty"])
    func `a confirmation that does not fit is ignored`(kind: String) async throws {
        let store = makeStore(directory.path)
        try await store.save(snapshot())
        func header(_ name: String, _ number: Int, after seconds: Double) throws -> [UInt8] {
            try GenerationFile.encode(GenerationHeader(try snapshot(name, after: seconds), generation: number))
        }
        switch kind {
        case "damaged":
            try Files.create(confirmation, Array(header("Mug", 1, after: 60).map { $0 == 0x36 ? 0x37 : $0 }))
        case "of another number": try Files.create(confirmation, header("Mug", 2, after: 60))
        case "of other products": try Files.create(confirmation, header("Cup", 1, after: 60))
        case "older": try Files.create(confirmation, header("Mug", 1, after: -60))
        case "a pipe": try #require(unsafe mkfifo(confirmation, 0o644) == 0)
        case "a folder": try Files.createDirectories(confirmation)
        default: try Files.create(confirmation, [])
        }
        #expect(try await found() == 0)
        #expect(try await makeStore(directory.path).history().map(\.fetchedAt.timeIntervalSince1970) == [Self.start])
    }

    @Test func `a confirmation goes with its generation, and what is left of one with the next save`() async throws {
        let store = makeStore(directory.path, keep: 1)
        try await store.save(snapshot())
        try await store.save(snapshot(after: 60))
        #expect(isConfirmed())
        try await store.save(snapshot("Cup", after: 90))
        #expect(try Files.list(directory.path) == [".lock", "generation-0000000002.json"])
        try Files.create(directory("confirmed-0000000007.json"), [])
        try await store.save(snapshot("Cup", after: 120))
        #expect(
            try Files.list(directory.path) == [".lock", "confirmed-0000000002.json", "generation-0000000002.json"])
    }

    @Test func `retention counts from the last confirmation`() async throws {
        let wall = ManualWallClock(now: Date(timeIntervalSince1970: Self.start))
        let store = makeStore(directory.path, Retention(keep: 1, all: .seconds(1000)), wall: wall)
        for (name, seconds) in [("Mug", 0), ("Mug", 900), ("Cup", 910), ("Cup", 1800)] {
            wall.advance(by: .seconds(seconds) - .seconds(wall.now.timeIntervalSince1970 - Self.start))
            try await store.save(snapshot(name, after: Double(seconds)))
        }
        #expect(try await store.history().map(\.generation) == [2, 1])
    }
}
