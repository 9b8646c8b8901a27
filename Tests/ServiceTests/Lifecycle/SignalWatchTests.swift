import Dispatch
import EventLoop
import HTTPServer
import TestSupport
import Testing

@testable import Service

@Suite("The watch for signals", .timeLimit(.minutes(1)))
struct SignalWatchTests {
    /// Signals that come one after the other, nil for a wait that ends without one, each a second after the last.
    private final class Script: Sendable {
        private let state: Shared<(rest: [HeldSignal?], patience: [Duration?])>

        init(_ signals: [HeldSignal?]) {
            state = Shared((signals, []))
        }

        /// How long each was waited for.
        var patience: [Duration?] { state.withLock(\.patience) }

        var uptime: Duration { .seconds(state.withLock(\.patience.count)) }

        func next(_ patience: Duration?) -> HeldSignal? {
            state.withLock { state in
                state.patience.append(patience)
                return state.rest.isEmpty ? nil : state.rest.removeFirst()
            }
        }
    }

    private let log = LogRecorder()
    private let flushes = Shared(0)

    private func watch(
        deadline: Duration = .seconds(3), countingTime: Duration = .seconds(20),
        _ openWork: @escaping @Sendable () async -> HTTPOpenWork = { .none }
    ) -> SignalWatch {
        let flushes = flushes
        return SignalWatch(
            SignalWatch.Situation(
                logger: log.logger, flushLog: { flushes.withLock { $0 += 1 } }, deadline: deadline,
                openWork: openWork), countingTime: countingTime)
    }

    /// Runs the watch where blocking hurts nobody.
    private func run(_ watch: SignalWatch, _ script: Script, before: @escaping @Sendable (Script) -> Void = { _ in })
        async -> Int32
    {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "signals").async {
                let status = watch.run(next: { patience in
                    before(script)
                    return script.next(patience)
                }) { script.uptime }
                continuation.resume(returning: status)
            }
        }
    }

    @Test("A second signal to stop is logged with what is cut off, the log is written, and the status tells of it")
    func secondSignal() async {
        let watch = watch { HTTPOpenWork(connections: 3, requests: 2) }
        let script = Script([.terminate, .terminate])
        let status = await run(watch, script)
        #expect(status == 143)
        #expect(
            log.metadata(of: "critical: stopped at once") == [
                [
                    "reason": "a second SIGTERM came while draining", "status": "143", "connections": "3",
                    "requests": "2",
                ]
            ])
        #expect(flushes.withLock { $0 } == 1)
    }

    @Test("The deadline ends a stop that takes too long, also one whose work cannot be counted any more")
    func deadline() async {
        let (counts, count) = AsyncStream.makeStream(of: HTTPOpenWork.self)
        defer { count.finish() }
        let watch = watch(countingTime: .milliseconds(1)) { await counts.first { _ in true } ?? .none }
        let script = Script([.interrupt])
        let status = await run(watch, script)
        #expect(status == 1)
        #expect(script.patience == [nil, .seconds(1), .seconds(1), .seconds(1)])
        #expect(
            log.metadata(of: "critical: stopped at once") == [
                ["reason": "the drain deadline of 3.0 seconds has passed", "status": "1"]
            ])
    }

    @Test("A deadline that becomes known after the signal counts from the signal")
    func laterDeadline() async {
        let watch = watch(deadline: .seconds(1000))
        let script = Script([.terminate])
        let logger = log.logger
        let status = await run(watch, script) { script in
            guard script.patience.count == 3 else { return }
            watch.attend(
                SignalWatch.Situation(logger: logger, flushLog: {}, deadline: .seconds(5), openWork: { .none }))
        }
        #expect(status == 1)
        #expect(script.patience.count == 6)
    }

    @Test("Reloads and the wish to stop are kept until somebody takes them, any number of them as one")
    func kept() async {
        let watch = watch()
        let script = Script([.hangUp, .hangUp, .terminate, .interrupt])
        _ = await run(watch, script)
        #expect(await kept(in: watch.reloads) == 1)
        #expect(await kept(in: watch.stops) == 1)
    }

    /// How many elements are there already: what is cancelled waits for no more.
    private func kept(in stream: AsyncStream<Void>) async -> Int {
        let reader = Task { await stream.reduce(into: 0) { count, _ in count += 1 } }
        reader.cancel()
        return await reader.value
    }
}
