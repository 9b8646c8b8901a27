import FileSystem
import FoundationEssentials
import Persistence
import Products
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(1)))
struct PinDamageTests {
    private let directory: TemporaryDirectory
    private let log = LogRecorder()
    private let order = OperatorOrder(at: ManualWallClock().now, by: "me", reason: "wrong prices")

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var file: String { directory("pin.json") }

    private func overwrite(_ path: String, _ bytes: [UInt8]) throws {
        try Files.replace(path, with: bytes, temporary: directory("new"))
    }

    private func path(_ number: Int) -> String { directory("generation-000000000\(number).json") }

    /// Saves catalogues and pins one of them.
    private func pin(_ number: Int, of names: [String]) async throws {
        let store = makeStore(directory.path, keep: 9)
        for name in names { try await store.save(makeSnapshot(name)) }
        try await store.pin(.generation(number), by: order)
    }

    /// The catalogue that a new store gives, and whether it is pinned.
    private func found() async throws -> (revision: String, isPinned: Bool) {
        let answer = try await makeStore(directory.path, log: log).served()
        return (answer.snapshot.revision, (answer.standing == .pinned))
    }

    private func expect(
        _ name: String, isPinned: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(
            try await found() == (try makeCatalogue(name).revision, isPinned), sourceLocation: sourceLocation)
    }

    @Test func `a flipped byte anywhere in the file is no pin, and the file is set aside`() async throws {
        try await pin(1, of: ["good", "bad"])
        let bytes = try Files.read(file)
        for index in bytes.indices.dropLast() {
            var damaged = bytes
            damaged[index] ^= 1
            try overwrite(file, damaged)
            try await expect("bad", isPinned: false)
            #expect(Files.exists("\(file).corrupt"))
            try Files.remove("\(file).corrupt")
        }
    }

    @Test func `a file that is cut off is no pin`() async throws {
        try await pin(1, of: ["good", "bad"])
        let bytes = try Files.read(file)
        for length in 0..<bytes.count - 1 {
            try overwrite(file, Array(bytes.prefix(length)))
            try await expect("bad", isPinned: false)
            #expect(try Files.read("\(file).corrupt").count == length)
        }
    }

    @Test func `a pin of a newer version has no effect, and stays where it is`() async throws {
        try await pin(1, of: ["good", "bad"])
        let newer = Array(#"{"format":2,"generations":[1]}"#.utf8)
        try overwrite(file, newer)
        try await expect("bad", isPinned: false)
        try await makeStore(directory.path, keep: 1).save(makeSnapshot("worse"))
        let store = makeStore(directory.path)
        #expect(try await store.history().count == 3)
        await #expect(throws: ProductsFailure.self) { try await store.pin(.newest, by: order) }
        await #expect(throws: ProductsFailure.self) { try await store.unpin() }
        #expect(try Files.read(file) == newer)
    }

    @Test func `a damaged file is reported once, and a new pin heals it`() async throws {
        try await pin(1, of: ["good", "bad"])
        try overwrite(file, Array("{}".utf8))
        let store = makeStore(directory.path, log: log)
        for _ in 0..<3 { #expect(try await store.served().snapshot.revision == makeCatalogue("bad").revision) }
        #expect(log.seen == ["error: the file of the pin is damaged, nothing is pinned"])
        #expect(try await store.currentPin() == nil)
        try await store.pin(.generation(1), by: order)
        #expect(try await store.served().snapshot.revision == makeCatalogue("good").revision)
    }

    @Test(arguments: ["unpin", "pin", "other"])
    func `a damaged file is a trouble until the next order, also one of another process`(order word: String)
        async throws
    {
        try await pin(1, of: ["good", "bad"])
        let whole = try Files.read(file)
        try overwrite(file, Array("{}".utf8))
        let store = makeStore(directory.path, log: log)
        for _ in 0..<2 { _ = try await store.served() }
        #expect(store.troubles.count == 1)
        switch word {
        case "unpin": try await store.unpin()
        case "pin": try await store.pin(.generation(1), by: order)
        default:
            try overwrite(file, whole)
            _ = try await store.served()
        }
        #expect(store.troubles.isEmpty)
    }

    @Test func `a store that moves nothing aside leaves a damaged file, and reports it once`() async throws {
        try await pin(1, of: ["good", "bad"])
        try overwrite(file, Array("{}".utf8))
        let store = JSONFileProductsStore(
            directory: directory.path, movesDamaged: false, logger: log.logger, timeout: .seconds(30))
        for _ in 0..<3 { #expect(try await store.served().snapshot.revision == makeCatalogue("bad").revision) }
        #expect(log.seen == ["error: the file of the pin is damaged, nothing is pinned"])
        #expect(Files.exists(file))
    }

    @Test(arguments: [true, false])
    func `while the pin cannot be read, nothing is removed, and a pin that was seen stays`(isSeen: Bool) async throws {
        try await pin(1, of: ["good", "bad"])
        let store = makeStore(directory.path, keep: 1, log: log)
        if isSeen { #expect(try await store.served().snapshot.revision == makeCatalogue("good").revision) }
        try Files.remove(file)
        try Files.createDirectories(file)
        for _ in 0..<2 {
            #expect(try await store.served().snapshot.revision == makeCatalogue(isSeen ? "good" : "bad").revision)
        }
        #expect(log.count(of: "error: the pin cannot be read") == 1)
        if isSeen {
            #expect(try await store.currentPin()?.generation == 1)
        } else {
            await #expect(throws: ProductsFailure.self) { try await store.currentPin() }
        }
        try await store.save(makeSnapshot("worse"))
        #expect(try await store.history().map(\.generation) == [3, 2, 1])
    }

    @Test func `where the pinned generation is damaged, an equal one is served, or else the next older`() async throws {
        try await pin(3, of: ["old", "good", "bad", "good", "worse"])
        try await makeStore(directory.path, keep: 9).pin(.generation(4), by: order)
        try overwrite(path(4), [1])
        try await expect("good", isPinned: true)
        #expect(log.count(of: "error: the pinned generation cannot be served, an older one is") == 0)
        #expect(Files.exists("\(path(4)).corrupt"))
        try overwrite(path(2), [1])
        try await expect("bad", isPinned: true)
        #expect(log.count(of: "error: the pinned generation cannot be served, an older one is") == 1)
    }

    @Test func `where only newer ones are left, the newest is served as if nothing were pinned`() async throws {
        try await pin(1, of: ["good", "bad", "worse"])
        try Files.remove(path(1))
        try await expect("worse", isPinned: false)
        #expect(
            log.count(
                of: "error: the pinned generation cannot be served, and there is no older one, so the newest is served")
                == 1)
    }

    @Test func `a number with other products is not what was pinned`() async throws {
        try await pin(2, of: ["old", "good"])
        let other = try TemporaryDirectory()
        let store = makeStore(other.path)
        for name in ["old", "other"] { try await store.save(makeSnapshot(name)) }
        try overwrite(path(2), try Files.read(other("generation-0000000002.json")))
        try await expect("old", isPinned: true)
    }

    @Test func `what is served for a pinned generation that is gone is not removed either`() async throws {
        try await pin(2, of: ["old", "good", "bad"])
        try Files.remove(path(2))
        let store = makeStore(directory.path, keep: 1)
        for round in 0..<3 { try await store.save(makeSnapshot("worse \(round)")) }
        try await expect("old", isPinned: true)
        #expect(try await store.history().map(\.generation) == [6, 1])
    }

    @Test func `one with the products of a pinned generation that is gone is not removed either`() async throws {
        try await pin(2, of: ["old", "good", "bad", "good", "bad"])
        try Files.remove(path(2))
        let store = makeStore(directory.path, keep: 1)
        for round in 0..<3 { try await store.save(makeSnapshot("worse \(round)")) }
        try await expect("good", isPinned: true)
        #expect(try await store.history().map(\.generation) == [8, 4])
    }
}
