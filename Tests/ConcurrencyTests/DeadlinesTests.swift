import Concurrency
import TestSupport
import Testing

struct DeadlinesTests {
    @Test func `work that is done in time gives its value`() async {
        #expect(await firstOutcome(within: .seconds(60)) { 1 } == 1)
        #expect(await firstOutcome { 1 } == 1)
    }

    @Test func `late work is cancelled and left behind`() async {
        let clock = ManualClock()
        let cancelled = AsyncStream.makeStream(of: Bool.self)
        let waiting = Task {
            await firstOutcome(within: .seconds(5), clock: clock) {
                try? await Task.sleep(for: .seconds(600))
                cancelled.continuation.yield(Task.isCancelled)
                return 1
            }
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        #expect(await waiting.value == nil)
        #expect(await cancelled.stream.first { _ in true } == true)
    }

    @Test func `a cancelled caller gets nothing, but waits for the end of a task`() async {
        let (steps, step) = AsyncStream.makeStream(of: Void.self)
        let work = Task { for await _ in steps {} }
        let first = Task { await firstOutcome { await work.value } == nil }
        first.cancel()
        #expect(await first.value)
        let end = Task { await work.end(within: .seconds(60), clock: ContinuousClock()) }
        end.cancel()
        step.finish()
        await end.value
        #expect(!work.isCancelled)
    }
}
