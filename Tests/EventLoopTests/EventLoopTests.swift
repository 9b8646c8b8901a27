import Concurrency
import EventLoop
import Testing

/// The loop as the place where tasks run: order, thread, hand-off, end.
struct EventLoopTests {
    @Test func `a task that prefers the loop runs on it, also after it was suspended elsewhere`() async throws {
        let loop = try EventLoop(name: "test")
        let task = Task(executorPreference: loop) {
            var seen = [loop.isCurrent]
            await Task.yield()
            seen.append(loop.isCurrent)
            await withCheckedContinuation { continuation in
                Task.detached { continuation.resume() }
            }
            seen.append(loop.isCurrent)
            return seen
        }
        #expect(await task.value == [true, true, true])
        #expect(!loop.isCurrent)
        await loop.shutdown()
    }

    @Test func `closures run in the order in which one thread hands them over`() async throws {
        let loop = try EventLoop(name: "test")
        let seen = Mutex<[Int]>([])
        for number in 0..<10_000 { loop.execute { seen.withLock { $0.append(number) } } }
        let all = await loop.run { seen.withLock { $0 } }
        #expect(all == Array(0..<10_000))
        await loop.shutdown()
    }

    @Test func `nothing is lost when many threads hand over while the loop is busy`() async throws {
        let loop = try EventLoop(name: "test")
        let steps = StepList()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 { await loop.run { steps.note("step") } }
                }
            }
        }
        #expect(steps.steps.count == 8_000)
        await loop.shutdown()
    }

    @Test func `a task started within a closure makes its first steps in the same drain`() async throws {
        let loop = try EventLoop(name: "test")
        let order = StepList()
        await loop.run {
            order.note("before")
            Task(executorPreference: loop) { order.note("task") }
            order.note("after")
        }
        await loop.run { order.note("next") }
        #expect(order.steps == ["before", "after", "task", "next"])
        await loop.shutdown()
    }

    @Test func `what comes after the end is dropped and hurts nobody`() async throws {
        let loop = try EventLoop(name: "test")
        let ran = Mutex(false)
        await loop.shutdown()
        loop.execute { ran.withLock { $0 = true } }
        #expect(!ran.withLock { $0 })
    }

    @Test(arguments: [(0, 1), (1, 1), (3, 3)])
    func `a group has as many loops as it was asked for, and at least one`(asked: Int, got: Int) async throws {
        let group = try EventLoopGroup(count: asked)
        #expect(group.loops.count == got)
        await group.shutdown()
    }
}
