import FileSystem
import Synchronization
import TestSupport
import Testing

struct FileLockTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private final class Holders: Sendable {
        private let now = Atomic(0)
        private let most = Atomic(0)

        func enterAndLeave() {
            most.max(now.add(1, ordering: .sequentiallyConsistent).newValue, ordering: .sequentiallyConsistent)
            now.subtract(1, ordering: .sequentiallyConsistent)
        }

        var mostAtOnce: Int { most.load(ordering: .sequentiallyConsistent) }
    }

    @Test func `one holder at a time`() async throws {
        let path = directory("lock")
        let holders = Holders()
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 { try FileLock.holding(path) { holders.enterAndLeave() } }
                }
            }
            try await group.waitForAll()
        }
        #expect(holders.mostAtOnce == 1)
    }

    @Test func `an error inside lets go of the lock`() throws {
        struct Failed: Error {}
        #expect(throws: Failed.self) { try FileLock.holding(directory("lock")) { throw Failed() } }
        #expect(try FileLock.holding(directory("lock")) { 7 } == 7)
    }

    @Test func `a lock that cannot be made is an error`() {
        let error = #expect(throws: FileSystemError.self) { try FileLock.holding(directory("none/lock")) {} }
        #expect(error?.isNotFound == true)
    }
}
