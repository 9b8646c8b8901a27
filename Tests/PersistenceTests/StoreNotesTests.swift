import Concurrency
import Dispatch
import FileSystem
import Glibc
import Products
import Testing
import TestSupport

@testable import Persistence

/// The small files that others keep beside the generations of a store.
@Suite(.timeLimit(.minutes(1)))
struct StoreNotesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Makes a file of this length that takes no room on the disk.
    private func makeSparse(_ name: String, _ length: Int) throws {
        try Files.create(directory(name), [])
        try #require(unsafe truncate(directory(name), length) == 0)
    }

    @Test func `a save that runs beside the writing of a note leaves its temporary file alone`() async throws {
        let other = makeStore(directory.path)
        try await other.save(makeSnapshot("old"))
        var disk = StoreDisk.system
        disk.create = { [directory] path, parts throws(FileSystemError) in
            try Files.create(path, parts: parts)
            // Where the lock is free a save can run now, and does so to its end.
            guard (try? FileLock.holding(directory(".lock"), attempts: 1, {})) != nil else { return }
            let isSaved = DispatchSemaphore(value: 0)
            Task.detached {
                await #expect(throws: Never.self) { try await other.save(makeSnapshot("new")) }
                isSaved.signal()
            }
            isSaved.wait()
        }
        let store = JSONFileProductsStore(
            directory: directory.path, logger: LogRecorder().logger, timeout: .seconds(30), disk: disk)
        try await store.keep([1, 2, 3], as: "fleet.json")
        #expect(try await store.note("fleet.json", limit: 3) == [1, 2, 3])
        try await other.save(makeSnapshot("newer"))
        #expect(try await store.note("fleet.json", limit: 3) == [1, 2, 3])
    }

    @Test func `a note that is longer than its limit counts as none, and is not read`() async throws {
        let store = makeStore(directory.path)
        try await store.keep([1, 2, 3], as: "fleet.json")
        #expect(try await store.note("fleet.json", limit: 2) == [])
        try makeSparse("fleet-pin.gz", 1 << 40)
        #expect(try await store.note("fleet-pin.gz", limit: 1 << 20) == [])
        try await store.keep([4], as: "fleet-pin.gz")
        #expect(try await store.note("fleet-pin.gz", limit: 1 << 20) == [4])
    }

    @Test func `a file that claims to be longer than memory is refused`() throws {
        try makeSparse("huge", 1 << 42)
        #expect(throws: FileSystemError.self) { try Files.read(directory("huge"), limit: 1 << 20) }
    }
}
