internal import Concurrency
internal import Dispatch
internal import EventLoop
internal import Glibc
internal import HTTPServer
internal import Logging

/// Waits for signals on a thread of its own, so that they are heeded whatever else hangs: one that asks for a reload,
/// one that tells the service to stop, and one that tells it so again.
///
/// The same thread sees to the deadline of the graceful end. What ends the process at once is logged before.
public final class SignalWatch: Sendable {
    /// The state of the service that the watch needs.
    struct Situation: Sendable {
        let logger: Logger
        /// Returns when what was logged is written, or soon after that does not happen.
        let flushLog: @Sendable () -> Void
        /// How long a graceful end may take.
        let deadline: Duration
        /// Unfinished work.
        let openWork: @Sendable () async -> HTTPOpenWork

        /// As long as there is no config.
        static func start() -> Situation {
            let log = ServiceLog(level: .info)
            return Situation(
                logger: log.logger, flushLog: log.flush, deadline: .seconds(20), openWork: { .none })
        }
    }

    /// The situation may change while a signal is waited for: it is looked at so often.
    private static let longestWait = Duration.seconds(1)

    /// One element for any number of SIGHUPs since the last one was taken.
    package let reloads: AsyncStream<Void>
    /// One element when the service is to stop.
    package let stops: AsyncStream<Void>
    private let reload: AsyncStream<Void>.Continuation
    private let stop: AsyncStream<Void>.Continuation
    private let situation: Mutex<Situation>
    private let countingTime: Duration

    /// - Parameter countingTime: how long the end waits for the count of what it cuts off.
    init(_ situation: Situation, countingTime: Duration = .milliseconds(250)) {
        (reloads, reload) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (stops, stop) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.situation = Mutex(situation)
        self.countingTime = countingTime
    }

    /// Keeps the process's signals for a watch to come: the first thing that a program does which may serve.
    public static func hold() {
        HeldSignals.hold()
    }

    /// Leaves the signals to their usual effects after all, where no watch is to come.
    public static func release() {
        HeldSignals.release()
    }

    /// Begins to wait for the process's signals, which are kept from now on if they were not before. There can be
    /// one watch in a process, and it lasts as long.
    public static func begun() -> SignalWatch {
        HeldSignals.hold()
        let watch = SignalWatch(.start())
        let clock = ContinuousClock()
        let start = clock.now
        DispatchQueue(label: "larder-signals").async {
            _exit(watch.run(next: HeldSignals.next) { start.duration(to: clock.now) })
        }
        return watch
    }

    /// From now on this is what there is to know.
    func attend(_ situation: Situation) {
        self.situation.withLock { $0 = situation }
    }

    /// Heeds one signal after the other until one of them, or the deadline, ends the process.
    ///
    /// - Parameters:
    ///   - next: waits for a signal, as `HeldSignals` does.
    ///   - uptime: a reading of a monotonic clock.
    /// - Returns: the status to exit with.
    func run(next: (Duration?) -> HeldSignal?, uptime: () -> Duration) -> Int32 {
        var orders = SignalOrders()
        while true {
            let patience = orders.patience(at: uptime(), deadline: situation.withLock(\.deadline))
            let signal = next(patience.map { min($0, Self.longestWait) })
            switch orders.order(for: signal, at: uptime(), deadline: situation.withLock(\.deadline)) {
            case .nothing: break
            case .reload: reload.yield()
            case .stop: stop.yield()
            case .stopAtOnce(let reason): return end(reason)
            }
        }
    }

    private func end(_ reason: ForcedExit) -> Int32 {
        let situation = situation.withLock { $0 }
        var metadata: Logger.Metadata = ["reason": "\(reason)", "status": .stringConvertible(Int(reason.status))]
        if let open = BlockingWait.value(within: countingTime, of: situation.openWork) {
            metadata.merge(open.metadata) { $1 }
        }
        situation.logger.critical("stopped at once", metadata: metadata)
        situation.flushLog()
        return reason.status
    }
}
