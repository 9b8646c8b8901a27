import Concurrency
import Dispatch
import TestSupport
import Testing

@testable import Persistence

@Suite("Counting generations", .timeLimit(.minutes(1)))
struct GenerationCounterTests {
    /// A disk that answers when it is told to.
    private final class Disk: Sendable {
        let release = DispatchSemaphore(value: 0)
        private let state = Mutex(0)

        var looks: Int { state.withLock { $0 } }

        func count() -> Int {
            state.withLock { $0 += 1 }
            release.wait()
            return 3
        }
    }

    private let clock = ManualClock()
    private let disk = Disk()

    private func make() -> GenerationCounter {
        GenerationCounter(patience: .milliseconds(250), clock: clock) { [disk] in disk.count() }
    }

    @Test("Who asks gets what is on the disk")
    func counts() async {
        disk.release.signal()
        #expect(await make().count() == 3)
    }

    @Test("While the disk hangs, who asks waits once and then not at all, and nobody looks a second time")
    func hangs() async {
        let counter = make()
        let first = Task { await counter.count() }
        await clock.waitForSleepers()
        while disk.looks == 0 { await Task.yield() }
        clock.advance(by: .milliseconds(250))
        #expect(await first.value == nil)
        for _ in 0..<100 { #expect(await counter.count() == nil) }
        #expect(disk.looks == 1)
        disk.release.signal()
        disk.release.signal()
        while await counter.count() != 3 { await Task.yield() }
        #expect(disk.looks == 2)
    }

    @Test("Who asks at the same time shares one look")
    func shared() async {
        let counter = make()
        let askers = (0..<10).map { _ in Task { await counter.count() } }
        await clock.waitForSleepers(10)
        disk.release.signal()
        for asker in askers { #expect(await asker.value == 3) }
        #expect(disk.looks == 1)
    }
}
