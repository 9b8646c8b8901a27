import FileSystem
import FoundationEssentials
import Persistence
import Products
import TestSupport
import Testing

/// Keeps what a source that is a cache has said of a catalogue across a restart.
struct SourceStatementTests {
    private let directory: TemporaryDirectory
    private var path: String { directory("generation-0000000001.json") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func makeAged(_ statement: SourceStatement?) throws -> ProductsSnapshot {
        ProductsSnapshot(
            catalogue: try makeCatalogue(), fetchedAt: Date(timeIntervalSince1970: 1_769_600_000.125),
            checkedAt: Date(timeIntervalSince1970: 1_769_860_800.5), origin: .network, source: statement)
    }

    @Test(arguments: [
        SourceStatement(.offline, cacheStatus: "larder; hit; ttl=-259170; age=259200; detail=offline"),
        SourceStatement(.stale), SourceStatement(nil, cacheStatus: "\"My CDN\"; hit"), nil,
    ])
    func `a restart finds the time of the source, of the check, and the statement`(statement: SourceStatement?)
        async throws
    {
        let aged = try makeAged(statement)
        try await makeStore(directory.path).save(aged)
        let found = try #require(try await makeStore(directory.path).stored())
        #expect(found.fetchedAt == aged.fetchedAt)
        #expect(found.checkedAt == aged.checkedAt)
        #expect(found.source == statement)
        #expect(found.age(at: aged.checkedAt) == .seconds(260_800) + .milliseconds(375))
    }

    /// Earlier versions read the header in the first 512 bytes, and check a seal without the new members.
    @Test func `the longest statement leaves the header short enough for earlier versions`() async throws {
        let longest = SourceStatement(.offline, cacheStatus: String(repeating: "a", count: SourceStatement.longest))
        try await makeStore(directory.path).save(try makeAged(longest))
        let text = String(decoding: try Files.read(path), as: UTF8.self)
        let header = try #require(text.firstRange(of: ",\"products\":"))
        #expect(text.utf8.distance(from: text.startIndex, to: header.lowerBound) <= 485)
    }

    @Test func `a statement that no header could have is dropped`() {
        #expect(SourceStatement(.stale, cacheStatus: "a\r\nX: y").cacheStatus.isEmpty)
        #expect(SourceStatement(.stale, cacheStatus: String(repeating: "\"", count: 81)).cacheStatus.isEmpty)
        #expect(SourceStatement(.stale, cacheStatus: String(repeating: "a", count: 161)).cacheStatus.isEmpty)
    }

    @Test func `a catalogue of a source that is no cache is written as before`() async throws {
        try await makeStore(directory.path).save(try makeSnapshot())
        let text = String(decoding: try Files.read(path).prefix(512), as: UTF8.self)
        #expect(!text.contains("checkedAt") && !text.contains("stale") && !text.contains("checkSeal"))
    }

    @Test(arguments: [("-259170", "-259171"), ("offline\"", "stale\""), ("12:00:00", "12:00:01")])
    func `a changed statement is damage`(old: String, new: String) async throws {
        let statement = SourceStatement(.offline, cacheStatus: "larder; hit; ttl=-259170")
        try await makeStore(directory.path).save(try makeAged(statement))
        let text = String(decoding: try Files.read(path), as: UTF8.self)
        let changed = text.replacing(old, with: new)
        #expect(changed != text)
        try Files.remove(path)
        try Files.create(path, Array(changed.utf8))
        #expect(try await makeStore(directory.path).stored() == nil)
    }
}
