import TestSupport
import FileSystem
import FoundationEssentials
import Persistence
import Products
import Testing

struct GenerationArchiveTests {
    private let directory: TemporaryDirectory
    private let archive: GenerationArchive

    init() throws {
        directory = try TemporaryDirectory()
        archive = GenerationArchive(directory: directory.path)
    }

    private func save(_ names: [String], keep: Int = 9) async throws {
        let store = makeStore(directory.path, keep: keep)
        for (index, name) in names.enumerated() {
            try await store.save(makeSnapshot(name, fetchedAt: 1_769_860_800 + Double(index)))
        }
    }

    private func path(_ number: Int) -> String { directory("generation-000000000\(number).json") }

    private func overwrite(_ number: Int, _ text: String) throws {
        try? Files.remove(path(number))
        try Files.create(path(number), Array(text.utf8))
    }

    private let order = OperatorOrder(at: ManualWallClock().now, by: "root", reason: "wrong prices")

    /// Every file with its bytes.
    private func files() throws -> [String: [UInt8]] {
        let names = try Files.list(directory.path)
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try Files.read(directory($0))) })
    }

    @Test func `a pin from outside is what a store finds at its next load`() async throws {
        try await save(["good", "bad"])
        let store = makeStore(directory.path)
        #expect(try await store.served().snapshot.revision == makeCatalogue("bad").revision)
        let pin = try archive.pin(.generation(1), by: order).pin
        #expect(try await store.served().snapshot.revision == makeCatalogue("good").revision)
        #expect(try await store.currentPin() == pin)
        #expect(try archive.contents().pin == pin)
        #expect(try archive.unpin() == pin)
        #expect(try archive.contents().pin == nil)
        #expect(try await store.served().snapshot.revision == makeCatalogue("bad").revision)
    }

    @Test func `the newest usable generation is found while it comes and goes`() async throws {
        try await save(["old", "new"])
        let known = [try makeCatalogue("old").digest, try makeCatalogue("new").digest]
        let flicker = Task.detached { [newest = path(2), aside = directory("aside")] in
            while !Task.isCancelled {
                try Files.rename(newest, to: aside)
                try Files.rename(aside, to: newest)
            }
        }
        for _ in 0..<500 { #expect(known.contains(try archive.snapshot().catalogue.digest)) }
        flicker.cancel()
        try await flicker.value
    }

    @Test func `each generation tells what is in it, newest first`() async throws {
        try await save(["old", "new"])
        let contents = try archive.contents()
        #expect(contents.generations.map(\.number) == [2, 1])
        let newest = try #require(contents.generations.first)
        #expect(newest.path == path(2))
        #expect(newest.size == (try Files.read(path(2)).count))
        #expect(newest.condition == .good && newest.fault == nil)
        let statement = try #require(newest.statement)
        #expect(statement.fetchedAt.timeIntervalSince1970 == 1_769_860_801)
        #expect(statement.source == .network)
        #expect(statement.products == 3)
        #expect(statement.sha256 == (try makeCatalogue("new")).digest)
        #expect(contents.movedAside == [])
    }

    @Test func `looking at damage of every kind tells of it and changes nothing`() async throws {
        try await save(["a", "b", "c", "d", "e"])
        try overwrite(2, "{}")
        let bytes = String(decoding: try Files.read(path(3)), as: UTF8.self)
        try overwrite(3, bytes.replacing("c 0", with: "C 0"))
        try overwrite(4, #"{"format":3,"products":"elsewhere"}"#)
        try Files.remove(path(5))
        try Files.createDirectories(path(5))
        try Files.rename(path(1), to: "\(path(1)).corrupt")
        let before = try Files.list(directory.path)

        let contents = try archive.contents()
        #expect(contents.generations.map(\.condition) == [.unreadable, .newerFormat, .damaged, .damaged])
        #expect(contents.generations.map(\.number) == [5, 4, 3, 2])
        #expect(contents.generations.map { $0.statement?.products } == [nil, nil, 3, nil])
        #expect(contents.generations[2].fault == "damaged: the products are not those that were written")
        #expect(contents.generations[0].fault == "cannot read \(path(5)): Is a directory")
        #expect(contents.movedAside == ["generation-0000000001.json.corrupt"])
        #expect(throws: GenerationArchiveError.noneUsable(directory: directory.path)) { try archive.snapshot() }
        #expect(throws: GenerationArchiveError.noneUsable(directory: directory.path)) {
            try archive.pin(by: order)
        }
        #expect(try Files.list(directory.path) == before)
    }

    @Test func `a directory that is not there has nothing, and is not made`() throws {
        let path = directory("nowhere")
        let archive = GenerationArchive(directory: path)
        #expect(try archive.contents().generations.isEmpty)
        #expect(throws: GenerationArchiveError.empty(directory: path)) { try archive.snapshot() }
        #expect(throws: GenerationArchiveError.empty(directory: path)) { try archive.snapshot(of: 3) }
        #expect(throws: GenerationArchiveError.empty(directory: path)) { try archive.pin(by: order) }
        #expect(try Files.list(directory.path) == [])
    }

    @Test func `a snapshot is that of the generation that is wanted, or of the newest that can be used`() async throws {
        try await save(["a", "b", "c"])
        try overwrite(3, "")
        #expect(try archive.snapshot().revision == makeCatalogue("b").revision)
        #expect(try archive.snapshot(of: 1).revision == makeCatalogue("a").revision)
        #expect(throws: GenerationArchiveError.missing(.generation(7), there: [3, 2, 1], directory: directory.path)) {
            try archive.snapshot(of: 7)
        }
        let error = #expect(throws: GenerationArchiveError.self) { try archive.snapshot(of: 3) }
        #expect(error?.description.hasPrefix("\(path(3)): damaged: ") == true)
    }

    @Test func `going back pins the older products for a store that runs, and changes no generation`() async throws {
        let store = makeStore(directory.path)
        for name in ["a", "b", "c"] { try await store.save(makeSnapshot(name)) }
        #expect(try await store.served().snapshot.revision == makeCatalogue("c").revision)
        let before = try files()
        let (pin, snapshot) = try archive.pin(by: order)
        #expect(pin == CataloguePin(generation: 2, revision: try makeCatalogue("b").revision, order: order))
        #expect(snapshot.revision == pin.revision)
        #expect(archive.pin == pin)
        let after = try files()
        #expect(before.allSatisfy { after[$0.key] == $0.value })
        #expect(Set(after.keys).subtracting(before.keys) == ["pin.json"])
        #expect(try await store.served().snapshot.revision == pin.revision)
        try await store.save(makeSnapshot("d"))
        #expect(try await store.served().snapshot.revision == pin.revision)
    }

    @Test
    func `without a number it goes to the next other products, past what is damaged and what is the same`() async throws
    {
        try await save(["a", "b", "c", "d"])
        try overwrite(4, "{}")
        try overwrite(2, "{}")
        #expect(try archive.pin(by: order).pin.generation == 1)
        #expect(throws: GenerationArchiveError.nothingOlder(than: 1, directory: directory.path)) {
            try archive.pin(by: order)
        }
    }

    @Test func `going back again goes on backwards from what is pinned`() async throws {
        try await save(["a", "b", "c"])
        #expect(try archive.pin(by: order).pin.generation == 2)
        try await save(["d"])
        #expect(try archive.pin(by: order).pin.generation == 1)
        #expect(try archive.pin(.generation(3), by: order).pin.generation == 3)
        #expect(try archive.pin(by: order).pin.generation == 2)
    }

    @Test func `what cannot be gone back to is refused, and nothing is changed`() async throws {
        try await save(["a"])
        #expect(throws: GenerationArchiveError.nothingOlder(than: 1, directory: directory.path)) {
            try archive.pin(by: order)
        }
        try await save(["b", "c"])
        try overwrite(2, "{}")
        let before = try files()
        let damaged = #expect(throws: GenerationArchiveError.self) { try archive.pin(.generation(2), by: order) }
        #expect(damaged?.description.hasPrefix("\(path(2)): damaged: ") == true)
        let missing = #expect(throws: GenerationArchiveError.self) { try archive.pin(.generation(9), by: order) }
        #expect(missing?.description == "there is no generation 9 in \(directory.path), only 3, 2, 1")
        #expect(try files() == before)
    }
}
