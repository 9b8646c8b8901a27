import Concurrency
import Dispatch
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BackgroundExecutorTests {
    /// One thread at a time, that code can tell it is on.
    private final class Caller: TaskExecutor {
        private let queue = DispatchQueue(label: "caller")
        private let key = DispatchSpecificKey<Bool>()

        init() {
            queue.setSpecific(key: key, value: true)
        }

        var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Whether the calling thread has a lower priority than one has by default.
    private static var isInBackground: Bool { getpriority(Int32(PRIO_PROCESS.rawValue), 0) >= 10 }

    @Test(arguments: [nil, TaskPriority.high, .medium, .low, .background])
    func `work and its children run at a low priority, and the task goes on where it was`(
        priority: TaskPriority?
    ) async throws {
        let caller = Caller()
        try await Task(executorPreference: caller, priority: priority) {
            #expect(caller.isCurrent)
            let isLow = try await offLoop {
                let before = Self.isInBackground
                await Task.yield()
                let children = await withTaskGroup { group in
                    for _ in 0..<8 { group.addTask { Self.isInBackground } }
                    return await group.reduce(before) { $0 && $1 }
                }
                return children && Self.isInBackground && !caller.isCurrent
            }
            #expect(isLow)
            #expect(caller.isCurrent)
        }.value
    }

    @Test func `a detached task that prefers it stays there`() async {
        let isLow = await Task.detached(executorPreference: BackgroundExecutor.shared) {
            let before = Self.isInBackground
            await Task { await Task.yield() }.value
            return before && Self.isInBackground
        }.value
        #expect(isLow)
    }

    @Test func `all of many concurrent jobs run`() async {
        let done = Shared(0)
        await withTaskGroup { group in
            for _ in 0..<10_000 {
                group.addTask(executorPreference: BackgroundExecutor.shared) {
                    await Task.yield()
                    done.withLock { $0 += 1 }
                }
            }
        }
        #expect(done.withLock { $0 } == 10_000)
    }

    @Test func `jobs that wait for jobs of their own take no thread from these`() async {
        @Sendable func leaves(below depth: Int) async -> Int {
            guard depth > 0 else { return 1 }
            let halves = (0..<2).map { _ in
                Task.detached(executorPreference: BackgroundExecutor.shared) { await leaves(below: depth - 1) }
            }
            return await halves[0].value + halves[1].value
        }
        #expect(await leaves(below: 10) == 1024)
    }

    @Test func `work hears of its caller's cancellation, and its error comes back`() async {
        let (isReady, ready) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await offLoop {
                ready.yield()
                try await Task.sleep(for: .seconds(600))
            }
        }
        _ = await isReady.first { true }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
