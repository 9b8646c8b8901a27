internal import Locks
internal import struct Synchronization.Atomic

/// A monitor that asks a probe at an interval, and counts the results of real requests beside the probe's.
public final class PollingReachabilityMonitor: ReachabilityMonitor {
    private let probe: any ReachabilityProbe
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let onChange: @Sendable (Bool) -> Void
    /// Held also while a change is reported, so that changes are reported in the order in which they happened.
    private let threshold: Mutex<ReachabilityThreshold>
    /// The verdict again, so that requests read it without a lock.
    private let verdict = Atomic<Bool>(true)
    private let lastProblem = Mutex<String?>(nil)

    /// Creates a monitor that takes the upstream for reachable until it learns better.
    ///
    /// - Parameters:
    ///   - interval: between the end of one probe and the start of the next.
    ///   - fall: failures in a row that make the upstream unreachable; at least 1.
    ///   - rise: successes in a row that make it reachable again; at least 1.
    ///   - onChange: gets each new verdict, in order, on the thread that caused it. It must not record results.
    public init(
        probe: some ReachabilityProbe, interval: Duration, fall: Int, rise: Int, clock: any Clock<Duration>,
        onChange: @escaping @Sendable (Bool) -> Void
    ) {
        self.probe = probe
        self.interval = interval
        self.clock = clock
        self.onChange = onChange
        threshold = Mutex(ReachabilityThreshold(fall: fall, rise: rise))
    }

    /// The present verdict, read without a lock.
    public var isReachable: Bool { verdict.load(ordering: .relaxed) }

    /// The fault that the last probe found; nil when it succeeded.
    public var problem: String? { lastProblem.withLock { $0 } }

    /// Counts toward `rise`, and breaks a row of failures.
    public func recordSuccess() { record(success: true) }

    /// Counts toward `fall`, and breaks a row of successes.
    public func recordFailure() { record(success: false) }

    /// Polls until the task is cancelled; the first probe comes at once.
    public func run() async {
        while !Task.isCancelled {
            let problem = await probe.problem()
            guard !Task.isCancelled else { return }
            lastProblem.withLock { $0 = problem }
            record(success: problem == nil)
            guard (try? await clock.sleep(for: interval)) != nil else { return }
        }
    }

    private func record(success: Bool) {
        threshold.withLock { threshold in
            guard let changed = threshold.record(success: success) else { return }
            verdict.store(changed, ordering: .relaxed)
            onChange(changed)
        }
    }
}
