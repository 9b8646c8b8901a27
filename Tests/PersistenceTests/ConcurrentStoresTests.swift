import Dispatch
import FileSystem
import FoundationEssentials
import Persistence
import Products
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(1)))
struct ConcurrentStoresTests {
    private let directory: TemporaryDirectory
    private let log = LogRecorder()

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// An executor of one thread, as an event loop is.
    private final class SingleThread: TaskExecutor {
        private let queue = DispatchQueue(label: "single")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test func `saves of many tasks and stores are neither torn nor lost`() async throws {
        let path = directory.path
        let stores = (0..<2).map { _ in makeStore(path, log: log) }
        try await withThrowingTaskGroup { group in
            for task in 0..<6 {
                group.addTask {
                    for round in 0..<10 {
                        try await stores[task % 2].save(makeSnapshot("task \(task) round \(round)"))
                        #expect(try await stores[round % 2].stored()?.products.count == 3)
                    }
                }
            }
            try await group.waitForAll()
        }
        let names = try Files.list(path).filter { !$0.hasPrefix(".unseen") }
        #expect(names == [".lock"] + (58...60).map { "generation-00000000\($0).json" })
        let loaded = try #require(try await makeStore(path, log: log).stored())
        for store in stores { #expect(try await store.stored()?.revision == loaded.revision) }
        #expect(log.seen.isEmpty)
    }

    @Test func `a save that waits for the disk does not hold up the executor it was called on`() async throws {
        let store = makeStore(directory.path)
        try await store.save(makeSnapshot("first"))
        let loop = SingleThread()
        let save = try await whileLocked { () async throws in
            let save = Task(executorPreference: loop) { try await store.save(makeSnapshot("second")) }
            let read = Task(executorPreference: loop) { try await store.stored()?.revision }
            #expect(try await read.value == makeSnapshot("first").revision)
            return save
        }
        try await save.value
        #expect(try await store.stored()?.revision == makeSnapshot("second").revision)
    }

    @Test func `saves that wait for the disk take no thread from what is computed`() async throws {
        let first = makeStore(directory.path)
        try await first.save(makeSnapshot("first"))
        let snapshot = try makeSnapshot("second")
        let stores = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in makeStore(directory.path) }
        let saves = try await whileLocked { () async throws in
            let saves = stores.map { store in Task.detached { try await store.save(snapshot) } }
            await Task.detached { await Task.yield() }.value
            #expect(try await first.stored()?.revision == makeSnapshot("first").revision)
            return saves
        }
        // On a busy machine some may have given up.
        for save in saves { _ = try? await save.value }
    }

    /// Runs the body while another thread holds the directory's lock.
    private func whileLocked<Value>(_ body: () async throws -> Value) async throws -> Value {
        let (end, isHeld, isOver) = (DispatchSemaphore(value: 0), Observed(false), Observed(false))
        DispatchQueue(label: "holder").async { [path = directory(".lock")] in
            try? FileLock.holding(path) {
                isHeld.update { $0 = true }
                end.wait()
            }
            isOver.update { $0 = true }
        }
        await isHeld.wait { $0 }
        return try await attempt(body) {
            end.signal()
            await isOver.wait { $0 }
        }
    }

    @Test
    func `what is to be saved later is what the store gives, and is on the disk when the lock is free`() async throws {
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
    func `a damaged generation is stepped over and left where it is, without waiting for the lock`() async throws {
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
