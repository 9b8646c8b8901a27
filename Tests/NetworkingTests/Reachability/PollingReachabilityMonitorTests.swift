internal import Concurrency
internal import Health
internal import Testing
internal import TestSupport

@testable internal import Networking

@Suite(.timeLimit(.minutes(1)))
struct PollingReachabilityMonitorTests {
    private let probe = ScriptedProbe()
    private let clock = ManualClock()
    private let changes = Observed<[Bool]>([])

    private func make(fall: Int = 2, rise: Int = 2) -> PollingReachabilityMonitor {
        PollingReachabilityMonitor(
            probe: probe, interval: .seconds(5), fall: fall, rise: rise, clock: clock,
            onChange: { [changes] isReachable in changes.update { $0.append(isReachable) } })
    }

    /// Runs a monitor for as long as the body takes; when the body begins, the first probe is done.
    private func polling(_ monitor: PollingReachabilityMonitor, _ body: () async -> Void) async {
        let task = Task { await monitor.run() }
        await clock.waitForSleepers()
        await body()
        task.cancel()
        await task.value
    }

    /// Lets one interval pass, and the probe after it.
    private func nextProbe() async {
        clock.advance(by: .seconds(5))
        await clock.waitForSleepers()
    }

    @Test func `falls and rises by its probes`() async {
        let monitor = make(fall: 2, rise: 3)
        probe.result = false
        #expect(monitor.isReachable)
        await polling(monitor) {
            #expect(monitor.isReachable)
            await nextProbe()
            #expect(!monitor.isReachable)
            probe.result = true
            await nextProbe()
            await nextProbe()
            #expect(!monitor.isReachable)
            await nextProbe()
            #expect(monitor.isReachable)
        }
        #expect(changes.value == [false, true])
        #expect(probe.count == 5)
    }

    @Test func `probes at once, then once an interval`() async {
        await polling(make()) {
            #expect(probe.count == 1)
            clock.advance(by: .milliseconds(4999))
            #expect(probe.count == 1)
            #expect(clock.sleepers == 1)
            clock.advance(by: .milliseconds(1))
            await clock.waitForSleepers()
            #expect(probe.count == 2)
        }
    }

    @Test func `failures of real requests count toward the fall, beside the probe's`() async {
        let monitor = make(fall: 3, rise: 1)
        probe.result = false
        await polling(monitor) {
            monitor.recordFailure("refused")
            #expect(monitor.isReachable)
            monitor.recordFailure("refused")
            #expect(!monitor.isReachable)
            #expect(changes.value == [false])
            #expect(probe.count == 1)
        }
    }

    @Test func `a real success counts toward the rise, and breaks a row of failures`() {
        let monitor = make(fall: 2, rise: 2)
        monitor.recordFailure("refused")
        monitor.recordSuccess()
        monitor.recordFailure("refused")
        #expect(monitor.isReachable)
        monitor.recordFailure("refused")
        #expect(!monitor.isReachable)
        monitor.recordSuccess()
        monitor.recordSuccess()
        #expect(monitor.isReachable)
        #expect(changes.value == [false, true])
    }

    @Test func `an unreachable upstream is a trouble with its cause, until the verdict changes, and is logged once`()
        async
    {
        let log = LogRecorder()
        let monitor = PollingReachabilityMonitor(
            probe: probe, interval: .seconds(5), fall: 2, rise: 2, clock: clock,
            book: TroubleBook(logger: log.logger), onChange: { _ in })
        probe.result = false
        await polling(monitor) {
            #expect(monitor.troubles.isEmpty)
            for _ in 0..<3 { await nextProbe() }
            let trouble = monitor.troubles.first
            #expect(trouble?.kind == .monitor && trouble?.cause.hasPrefix("unreachable: ") == true)
            probe.result = true
            await nextProbe()
            // One success is not enough, and takes no cause away.
            #expect(monitor.troubles == [trouble] && monitor.problem != nil)
            await nextProbe()
            #expect(monitor.troubles.isEmpty && monitor.problem == nil)
        }
        #expect(
            log.seen == [
                "warning: monitor finds the upstream unreachable", "notice: monitor finds the upstream reachable again",
            ])
    }

    @Test func `cancelling ends the polling while it sleeps`() async {
        let monitor = make()
        let task = Task { await monitor.run() }
        await clock.waitForSleepers()
        task.cancel()
        await task.value
        #expect(clock.sleepers == 0)
        #expect(probe.count == 1)
    }

    @Test func `a monitor that is cancelled before it runs probes nothing`() async {
        let monitor = make()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            await monitor.run()
        }
        await task.value
        #expect(probe.count == 0)
    }

    @Test func `reports every change once and in order, whoever causes it`() async {
        let monitor = make(fall: 1, rise: 1)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<500 {
                        number.isMultiple(of: 2) ? monitor.recordFailure("refused") : monitor.recordSuccess()
                    }
                }
            }
        }
        let reported = changes.value
        #expect(reported.first == false)
        #expect(zip(reported, reported.dropFirst()).allSatisfy { $0 != $1 })
        #expect(reported.last == monitor.isReachable)
    }
}

struct ReachabilityThresholdTests {
    @Test(arguments: [
        // fall, rise, results (+ success, - failure), verdict after each (U reachable, D not)
        (2, 2, "--++", "UDDU"),
        (1, 1, "-+-+", "DUDU"),
        (3, 2, "--+---", "UUUUUD"),
        (3, 2, "---+-+-++", "UUDDDDDDU"),
        (1, 3, "-++-+++", "DDDDDDU"),
        (2, 1, "++++--+", "UUUUUDU"),
    ])
    func `changes its mind after so many results in a row, and only then`(
        fall: Int, rise: Int, results: String, verdicts: String
    ) {
        var threshold = ReachabilityThreshold(fall: fall, rise: rise)
        var seen = ""
        var previous = true
        for result in results {
            let change = threshold.record(success: result == "+")
            #expect(change == (threshold.isReachable == previous ? nil : threshold.isReachable))
            previous = threshold.isReachable
            seen += threshold.isReachable ? "U" : "D"
        }
        #expect(seen == verdicts)
    }

}

/// A probe whose results a test sets.
final class ScriptedProbe: ReachabilityProbe {
    private let state = Mutex((result: true, count: 0))

    var result: Bool {
        get { state.withLock(\.result) }
        set { state.withLock { $0.result = newValue } }
    }

    var count: Int { state.withLock(\.count) }

    func problem() async -> String? {
        state.withLock { state in
            state.count += 1
            return state.result ? nil : "the probe failed"
        }
    }
}
