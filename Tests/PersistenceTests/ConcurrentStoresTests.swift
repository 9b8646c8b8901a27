import TestSupport
import Dispatch
import FileSystem
import FoundationEssentials
import Persistence
import Products
import Testing

@Suite struct ConcurrentStoresTests {
    private let directory: TemporaryDirectory

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

    @Test func savesOfManyTasksAndStoresAreNeitherTornNorLost() async throws {
        let log = LogRecorder()
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
        #expect(
            try Files.list(path) == [".lock"] + (58...60).map { "generation-00000000\($0).json" })
        let loaded = try #require(try await makeStore(path, log: log).stored())
        for store in stores { #expect(try await store.stored()?.revision == loaded.revision) }
        #expect(log.seen.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a save that waits for the disk does not hold up the executor it was called on`() async throws {
        let store = makeStore(directory.path)
        try await store.save(makeSnapshot("first"))
        let loop = SingleThread()
        let release = await holdLock()
        let save = Task(executorPreference: loop) { try await store.save(makeSnapshot("second")) }
        let read = Task(executorPreference: loop) { try await store.stored()?.revision }
        #expect(try await read.value == makeSnapshot("first").revision)
        release.signal()
        try await save.value
        #expect(try await store.stored()?.revision == makeSnapshot("second").revision)
    }

    @Test(.timeLimit(.minutes(1)))
    func `saves that wait for the disk take no thread from what is computed`() async throws {
        let first = makeStore(directory.path)
        try await first.save(makeSnapshot("first"))
        let release = await holdLock()
        let snapshot = try makeSnapshot("second")
        let stores = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in makeStore(directory.path) }
        let saves = stores.map { store in Task.detached { try await store.save(snapshot) } }
        await Task.detached { await Task.yield() }.value
        #expect(try await first.stored()?.revision == makeSnapshot("first").revision)
        release.signal()
        // On a busy machine some may have given up.
        for save in saves { _ = try? await save.value }
    }

    /// Holds the directory's lock until the semaphore that it returns is signalled.
    private func holdLock() async -> DispatchSemaphore {
        let release = DispatchSemaphore(value: 0)
        let lock = directory(".lock")
        await withCheckedContinuation { held in
            DispatchQueue(label: "holder").async {
                try? FileLock.holding(lock) {
                    held.resume()
                    release.wait()
                }
            }
        }
        return release
    }
}
