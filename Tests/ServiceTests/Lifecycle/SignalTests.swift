import Dispatch
import EventLoop
@testable import HTTPServer
import TestSupport
import Testing

@testable import Service

@Suite struct SignalOrdersTests {
    private static let deadline = Duration.seconds(20)
    private static let stops: [HeldSignal] = [.terminate, .interrupt]

    @Test func `SIGHUP reloads, before and after the first signal to stop`() {
        var orders = SignalOrders()
        #expect(orders.order(for: .hangUp, at: .zero, deadline: Self.deadline) == .reload)
        #expect(orders.order(for: .terminate, at: .seconds(1), deadline: Self.deadline) == .stop)
        #expect(orders.order(for: .hangUp, at: .seconds(2), deadline: Self.deadline) == .reload)
    }

    @Test(arguments: stops, stops)
    func `the first signal to stop drains, the second stops at once`(first: HeldSignal, second: HeldSignal) {
        var orders = SignalOrders()
        #expect(orders.order(for: first, at: .zero, deadline: Self.deadline) == .stop)
        let order = orders.order(for: second, at: .seconds(1), deadline: Self.deadline)
        #expect(order == .stopAtOnce(.secondSignal(second, after: first)))
    }

    @Test func `without a signal to stop there is no deadline`() {
        var orders = SignalOrders()
        #expect(orders.timeLeft(at: .seconds(86400), deadline: Self.deadline) == nil)
        #expect(orders.order(for: nil, at: .seconds(86400), deadline: Self.deadline) == .nothing)
    }

    @Test func `the deadline counts from the first signal and then stops at once`() {
        var orders = SignalOrders()
        _ = orders.order(for: .terminate, at: .seconds(100), deadline: Self.deadline)
        #expect(orders.timeLeft(at: .seconds(105), deadline: Self.deadline) == .seconds(15))
        #expect(orders.order(for: nil, at: .seconds(119), deadline: Self.deadline) == .nothing)
        #expect(orders.timeLeft(at: .seconds(121), deadline: Self.deadline) == .zero)
        let order = orders.order(for: nil, at: .seconds(120), deadline: Self.deadline)
        #expect(order == .stopAtOnce(.deadline(Self.deadline)))
    }

    @Test(arguments: [
        (ForcedExit.secondSignal(.terminate, after: .terminate), 143, "a second SIGTERM came while draining"),
        (.secondSignal(.interrupt, after: .interrupt), 130, "a second SIGINT came while draining"),
        (.secondSignal(.interrupt, after: .terminate), 130, "SIGINT came after SIGTERM while draining"),
        (.deadline(.seconds(20)), 1, "the drain deadline of 20.0 seconds has passed"),
    ])
    func `each end has its reason and the exit status of shells`(stop: ForcedExit, status: Int32, words: String) {
        #expect(stop.status == status)
        #expect("\(stop)" == words)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct SignalWatchTests {
    /// Signals that come one after the other, nil for a wait that ends without one, each a second after the last.
    private final class Script: Sendable {
        private let state: Shared<(rest: [HeldSignal?], limits: [Duration?])>

        init(_ signals: [HeldSignal?]) {
            state = Shared((signals, []))
        }

        /// The time each signal was waited for.
        var limits: [Duration?] { state.withLock(\.limits) }

        var uptime: Duration { .seconds(state.withLock(\.limits.count)) }

        func next(_ limit: Duration?) -> HeldSignal? {
            state.withLock { state in
                state.limits.append(limit)
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
            SignalWatch.Context(
                logger: log.logger, flushLog: { flushes.withLock { $0 += 1 } }, deadline: deadline,
                openWork: openWork), countingTime: countingTime)
    }

    /// Runs the watch on a thread that may block.
    private func run(_ watch: SignalWatch, _ script: Script, before: @escaping @Sendable (Script) -> Void = { _ in })
        async -> Int32
    {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "signals").async {
                let status = watch.run(next: { limit in
                    before(script)
                    return script.next(limit)
                }) { script.uptime }
                continuation.resume(returning: status)
            }
        }
    }

    @Test func `a second signal to stop logs the open work, flushes the log and sets the status`() async {
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

    @Test func `the deadline ends a stop whose open work cannot be counted`() async {
        let (counts, count) = AsyncStream.makeStream(of: HTTPOpenWork.self)
        defer { count.finish() }
        let watch = watch(countingTime: .milliseconds(1)) { await counts.first { _ in true } ?? .none }
        let script = Script([.interrupt])
        let status = await run(watch, script)
        #expect(status == 1)
        #expect(script.limits == [nil, .seconds(1), .seconds(1), .seconds(1)])
        #expect(
            log.metadata(of: "critical: stopped at once") == [
                ["reason": "the drain deadline of 3.0 seconds has passed", "status": "1"]
            ])
    }

    @Test func `a deadline that becomes known after the signal counts from the signal`() async {
        let watch = watch(deadline: .seconds(1000))
        let script = Script([.terminate])
        let logger = log.logger
        let status = await run(watch, script) { script in
            guard script.limits.count == 3 else { return }
            watch.update(
                SignalWatch.Context(logger: logger, flushLog: {}, deadline: .seconds(5), openWork: { .none }))
        }
        #expect(status == 1)
        #expect(script.limits.count == 6)
    }

    @Test func `reloads and stops are each kept as one until taken`() async {
        let watch = watch()
        let script = Script([.hangUp, .hangUp, .terminate, .interrupt])
        _ = await run(watch, script)
        #expect(await kept(in: watch.reloads) == 1)
        #expect(await kept(in: watch.stops) == 1)
    }

    /// The number of buffered elements: a cancelled reader waits for no more.
    private func kept(in stream: AsyncStream<Void>) async -> Int {
        let reader = Task { await stream.reduce(into: 0) { count, _ in count += 1 } }
        reader.cancel()
        return await reader.value
    }
}
