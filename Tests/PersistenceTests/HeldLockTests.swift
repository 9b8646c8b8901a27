import Dispatch
import FileSystem
import Persistence
import Products
import TestSupport
import Testing

/// A process that was stopped while it held the lock of a store.
@Suite(.timeLimit(.minutes(1)))
struct HeldLockTests {
    private let directory: TemporaryDirectory
    private let log = LogRecorder()

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Runs the body while somebody else holds the lock.
    private func whileLocked(_ body: () async throws -> Void) async throws {
        let (end, isHeld, isOver) = (DispatchSemaphore(value: 0), Observed(false), Observed(false))
        DispatchQueue(label: "holder").async { [path = directory(".lock")] in
            try? FileLock.holding(path) {
                isHeld.update { $0 = true }
                end.wait()
            }
            isOver.update { $0 = true }
        }
        await isHeld.wait { $0 }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        end.signal()
        await isOver.wait { $0 }
        try outcome.get()
    }

    @Test
    func `What is to be saved later is what the store gives, and is on the disk when the lock is free`() async throws {
        let store = makeStore(directory.path, log: log)
        try await store.save(makeSnapshot("old"))
        try await whileLocked {
            let new = try makeSnapshot("new")
            store.saveLater(new)
            let stored = try #require(try await store.stored())
            #expect(stored.revision == new.revision)
            #expect(stored.origin == .store)
            #expect(try Files.list(directory.path) == [".lock", "generation-0000000001.json"])
        }
        await store.close(within: .seconds(30))
        #expect(try await makeStore(directory.path).stored()?.revision == makeSnapshot("new").revision)
    }

    @Test
    func `A damaged generation is stepped over and left where it is, without waiting for the lock`() async throws {
        let store = makeStore(directory.path)
        for name in ["old", "new"] { try await store.save(makeSnapshot(name)) }
        try Files.replace(directory("generation-0000000002.json"), with: [1], temporary: directory("new"))
        let start = ContinuousClock.now
        try await whileLocked {
            let found = try await makeStore(directory.path, log: log).stored()
            #expect(found?.revision == (try makeSnapshot("old").revision))
        }
        #expect(ContinuousClock.now - start < .seconds(4))
        #expect(log.seen == ["error: stored generation is damaged and cannot be moved aside"])
        #expect(try await makeStore(directory.path).stored() != nil)
        #expect(Files.exists(directory("generation-0000000002.json.corrupt")))
    }
}
