internal import Concurrency
internal import Dispatch
internal import EventLoop
internal import Glibc
internal import HTTPServer
internal import Logging

/// Waits for signals on a thread of its own, so that they work even if everything else hangs.
///
/// Its thread also enforces the deadline of the graceful stop, and logs the reason before it ends the process at once.
package final class SignalWatch: Sendable {
    /// The state of the service for the signal thread.
    struct Context: Sendable {
        let logger: Logger
        /// Waits for a short time until the log is written.
        let flushLog: @Sendable () -> Void
        /// The longest time of a graceful end.
        let deadline: Duration
        let openWork: @Sendable () async -> HTTPOpenWork

        /// The state before there is a config.
        static func start() -> Context {
            let log = ServiceLog(level: .info)
            return Context(
                logger: log.logger, flushLog: log.flush, deadline: .seconds(20), openWork: { .none })
        }
    }

    /// The longest wait for a signal before the context is read again.
    private static let longestWait = Duration.seconds(1)

    /// One element for any number of SIGHUPs since the last one was taken.
    package let reloads: AsyncStream<Void>
    /// One element when the service is to stop.
    package let stops: AsyncStream<Void>
    private let reload: AsyncStream<Void>.Continuation
    private let stop: AsyncStream<Void>.Continuation
    private let context: Mutex<Context>
    private let countingTime: Duration

    /// - Parameter countingTime: the longest wait for the count of open work at the end.
    init(_ context: Context, countingTime: Duration = .milliseconds(250)) {
        (reloads, reload) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (stops, stop) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.context = Mutex(context)
        self.countingTime = countingTime
    }

    /// Begins to wait for the process's signals, and holds them if they are not held yet. There is one watch in a
    /// process, until its end.
    package static func begun() -> SignalWatch {
        HeldSignals.hold()
        let watch = SignalWatch(.start())
        let clock = ContinuousClock()
        let start = clock.now
        DispatchQueue(label: "larder-signals").async {
            _exit(watch.run(next: HeldSignals.next) { start.duration(to: clock.now) })
        }
        return watch
    }

    /// Requests a reload, as SIGHUP does.
    package func requestReload() { reload.yield() }

    /// Replaces the context.
    func update(_ context: Context) {
        self.context.withLock { $0 = context }
    }

    /// Handles signals until one of them, or the deadline, ends the process.
    ///
    /// - Parameters:
    ///   - next: waits for a signal, as `HeldSignals` does.
    ///   - uptime: a reading of a monotonic clock.
    /// - Returns: the exit status.
    func run(next: (Duration?) -> HeldSignal?, uptime: () -> Duration) -> Int32 {
        var orders = SignalOrders()
        while true {
            let timeLeft = orders.timeLeft(at: uptime(), deadline: context.withLock(\.deadline))
            let signal = next(timeLeft.map { min($0, Self.longestWait) })
            switch orders.order(for: signal, at: uptime(), deadline: context.withLock(\.deadline)) {
            case .nothing: break
            case .reload: reload.yield()
            case .stop: stop.yield()
            case .stopAtOnce(let reason): return end(reason)
            }
        }
    }

    private func end(_ reason: ForcedExit) -> Int32 {
        let context = context.withLock { $0 }
        var metadata: Logger.Metadata = ["reason": "\(reason)", "status": .stringConvertible(Int(reason.status))]
        if let open = BlockingWait.value(within: countingTime, of: context.openWork) {
            metadata.merge(open.metadata) { $1 }
        }
        context.logger.critical("stopped at once", metadata: metadata)
        context.flushLog()
        return reason.status
    }
}
