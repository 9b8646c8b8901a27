import Dispatch
import FileSystem
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BlockingQueueTests {
    private let clock = ManualClock()
    private let queue = BlockingQueue("test")
    private let disk = Gate()
    private let calls = Observed(0)

    private func call(waitsBehindAbandoned: Bool = false) async -> Int? {
        await queue.run(
            within: .seconds(1), waitsBehindAbandoned: waitsBehindAbandoned, clock: clock
        ) { [calls, disk] in
            let number = calls.update { calls in
                calls += 1
                return calls
            }
            disk.pass()
            return number
        }
    }

    @Test func `a call that is done in time gives its value`() async {
        for number in 1...3 { #expect(await call() == number) }
    }

    @Test func `in the background it has a low priority`() async {
        let background = BlockingQueue("background", inBackground: true)
        #expect(await background.run { getpriority(Int32(PRIO_PROCESS.rawValue), 0) } >= 10)
    }

    @Test func `a call that hangs is left behind; until it ends no other waits or runs, and then all is as before`()
        async
    {
        disk.close()
        let first = Task { await call() }
        await clock.waitForSleepers()
        await calls.wait { $0 == 1 }
        clock.advance(by: .seconds(1))
        #expect(await first.value == nil)
        for _ in 0..<100 { #expect(await call() == nil) }
        #expect(calls.value == 1)
        disk.open()
        await yieldUntil { await call() != nil }
        #expect(calls.value == 2)
    }

    @Test func `a call behind one that hangs is left behind too, and runs when that one has ended`() async {
        disk.close()
        let both = (0..<2).map { _ in Task { await call() } }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        for one in both { #expect(await one.value == nil) }
        disk.open()
        await calls.wait { $0 == 2 }
        await yieldUntil { await call() != nil }
    }

    @Test func `a caller with nothing else to use waits behind a call that was left behind, within its own limit`()
        async
    {
        disk.close()
        let first = Task { await call() }
        await clock.waitForSleepers()
        await calls.wait { $0 == 1 }
        clock.advance(by: .seconds(1))
        #expect(await first.value == nil)
        let second = Task { await call(waitsBehindAbandoned: true) }
        await clock.waitForSleepers()
        disk.open()
        #expect(await second.value == 2)
    }

    @Test func `a caller that is cancelled gets the value all the same`() async {
        let caller = Task {
            while !Task.isCancelled { await Task.yield() }
            return await call()
        }
        caller.cancel()
        #expect(await caller.value == 1)
    }
}
