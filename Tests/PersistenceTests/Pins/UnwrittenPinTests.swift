import Concurrency
import FileSystem
import FoundationEssentials
import JSON
import Products
import Testing
import TestSupport

@testable import Persistence

@Suite(.timeLimit(.minutes(1)))
struct UnwrittenPinTests {
    private let directory: TemporaryDirectory
    private let log = LogRecorder()
    /// The most generations that the disk has room for; while that many are there, nothing can be written.
    private let room = Shared(9)
    private let order = OperatorOrder(at: ManualWallClock().now, by: "me", reason: "wrong prices")
    private static let unwritten =
        "error: the order about the pin is in force but cannot be written, a restart would forget it"

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func make(_ unwrittenPin: UnwrittenPin? = nil) -> JSONFileProductsStore {
        var disk = StoreDisk.system
        disk.create = { [path = directory.path, room] name, parts throws(FileSystemError) in
            let files = try Files.list(path).filter { $0.hasPrefix("generation-") }
            guard files.count < room.withLock({ $0 }) else { throw FileSystemError(.write, path: name, code: 28) }
            try Files.create(name, parts: parts)
        }
        return JSONFileProductsStore(
            directory: directory.path, retention: Retention(keep: 9), logger: log.logger, timeout: .seconds(30),
            disk: disk, unwrittenPin: unwrittenPin)
    }

    private func fill(_ store: JSONFileProductsStore, _ names: [String]) async throws {
        for name in names { try await store.save(makeSnapshot(name)) }
        room.withLock { $0 = names.count }
    }

    private func expect(
        _ name: String, isPinned: Bool, by store: JSONFileProductsStore,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await store.served()
        #expect((answer.standing == .pinned) == isPinned, sourceLocation: sourceLocation)
        #expect(
            answer.snapshot.revision == (try makeCatalogue(name).revision), sourceLocation: sourceLocation)
    }

    @Test func `on a full disk a pin is in force at once, says that it is not written, and is written when it can be`()
        async throws
    {
        let store = make()
        try await fill(store, ["good", "wrong"])
        let pin = try await store.pin(.generation(1), by: order)
        #expect(!pin.isWritten)
        try await expect("good", isPinned: true, by: store)
        #expect(try await store.currentPin()?.isWritten == false)
        #expect(!Files.exists(directory("pin.json")))
        #expect(store.troubles.count == 1)

        // What is wrong keeps coming, and takes the place of neither.
        for name in ["worse", "worst"] {
            await #expect(throws: ProductsFailure.self) { try await store.save(makeSnapshot(name)) }
            try await expect("good", isPinned: true, by: store)
        }
        #expect(try await store.history().map(\.generation) == [2, 1])
        #expect(log.count(of: Self.unwritten) == 1)

        room.withLock { $0 = 9 }
        try await expect("good", isPinned: true, by: store)
        #expect(try await store.currentPin()?.isWritten == true)
        #expect(log.count(of: "notice: the order about the pin is written") == 1)
        #expect(store.troubles.isEmpty)
        try await expect("good", isPinned: true, by: make())
    }

    @Test func `wrong catalogues drive out each other, and not the pinned one`()
        async throws
    {
        let store = make()
        try await fill(store, ["older", "good", "wrong"])
        #expect(try await !store.pin(.generation(2), by: order).isWritten)
        try await store.save(makeSnapshot("worse"))
        #expect(try await store.history().map(\.generation) == [4, 3, 2])
        try await store.save(makeSnapshot("worst"))
        #expect(try await store.history().map(\.generation) == [5, 4, 2])
        try await expect("good", isPinned: true, by: store)
    }

    @Test func `a pin that is not written is taken off, and can be replaced`() async throws {
        let store = make()
        try await fill(store, ["good", "wrong"])
        try await store.pin(.generation(1), by: order)
        try await store.pin(.generation(2), by: order)
        try await expect("wrong", isPinned: true, by: store)
        #expect(try await store.unpin()?.generation == 2)
        try await expect("wrong", isPinned: false, by: store)
        #expect(store.troubles.isEmpty)
        room.withLock { $0 = 9 }
        try await expect("wrong", isPinned: false, by: store)
        #expect(!Files.exists(directory("pin.json")))
    }

    @Test func `a pin that is not written outlasts a reload that makes another store`() async throws {
        let unwritten = UnwrittenPin(directory: directory.path)
        let store = make(unwritten)
        try await fill(store, ["good", "wrong"])
        try await store.pin(.generation(1), by: order)
        let next = make(unwritten)
        try await expect("good", isPinned: true, by: next)
        #expect(try await next.currentPin()?.order.reason == "wrong prices")
        room.withLock { $0 = 9 }
        try await expect("good", isPinned: true, by: next)
        #expect(Files.exists(directory("pin.json")))
    }

    @Test(arguments: [true, false])
    func `an order that is not written gives way to a later one on the disk`(isPin: Bool) async throws {
        let unwritten = UnwrittenPin(directory: directory.path)
        let store = make(unwritten)
        try await fill(store, ["oldest", "good", "wrong"])
        unwritten.order =
            isPin
            ? .pin(
                CataloguePin(
                    generation: 2, revision: try makeCatalogue("good").revision, order: order, isWritten: false))
            : .unpin(at: order.at)
        let later = OperatorOrder(at: order.at.addingTimeInterval(60), by: "larder store rollback", reason: nil)
        _ = try GenerationArchive(directory: directory.path).pin(.generation(1), by: later)
        room.withLock { $0 = 9 }
        try await expect("oldest", isPinned: true, by: store)
        #expect(try await store.currentPin()?.order.by == later.by)
        #expect(unwritten.order == nil)
        try await expect("oldest", isPinned: true, by: make())
    }

    @Test func `an order that is not written takes the place of an earlier one on the disk`() async throws {
        let unwritten = UnwrittenPin(directory: directory.path)
        let store = make(unwritten)
        try await fill(store, ["oldest", "good", "wrong"])
        _ = try GenerationArchive(directory: directory.path).pin(.generation(1), by: order)
        unwritten.order = .unpin(at: order.at.addingTimeInterval(60))
        try await expect("wrong", isPinned: false, by: store)
        #expect(!Files.exists(directory("pin.json")))
    }
}
