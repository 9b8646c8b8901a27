internal import Concurrency
package import Health
internal import struct Synchronization.Atomic

/// Tracks whether an upstream can be reached, to spare requests its timeout.
///
/// Reading is cheap enough for every request and never waits. Real requests are recorded beside the probes.
public protocol ReachabilityMonitor: Sendable {
    /// The current verdict.
    var isReachable: Bool { get }
    /// The fault of a probe or a request, in words, as long as the verdict may follow from it; nil for monitors without probes.
    var problem: String? { get }
    /// Records a request that reached the upstream, whatever the status of its response.
    func recordSuccess()
    /// Records a request that could not reach the upstream.
    /// - Parameter cause: its failure, in words.
    func recordFailure(_ cause: String)
}

/// Reports a fixed state: reachable, so that every request goes to the upstream first, or unreachable, for working
/// offline and for drills.
package struct FixedReachabilityMonitor: ReachabilityMonitor {
    package let isReachable: Bool

    package init(isReachable: Bool) {
        self.isReachable = isReachable
    }

    package var problem: String? { nil }
    package func recordSuccess() {}
    package func recordFailure(_ cause: String) {}
}

/// Polls a probe at an interval, and counts the results of real requests as well.
package final class PollingReachabilityMonitor: ReachabilityMonitor {
    private let probe: any ReachabilityProbe
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let onChange: @Sendable (Bool) -> Void
    /// Locked also while a change is reported, to keep the reports in order.
    private let threshold: Mutex<ReachabilityThreshold>
    /// A copy of the verdict, which requests read without a lock.
    private let verdict = Atomic<Bool>(true)
    private let faults = Mutex<(probe: String?, request: String?)>((nil, nil))
    private let book: TroubleBook
    private static let lines = TroubleBook.Lines(
        begin: "monitor finds the upstream unreachable", end: "monitor finds the upstream reachable again")

    /// Creates a monitor that starts with the verdict reachable.
    ///
    /// - Parameters:
    ///   - interval: the pause between probes.
    ///   - fall: failures in a row that make the upstream unreachable; at least 1.
    ///   - rise: successes in a row that make it reachable again; at least 1.
    ///   - book: keeps and logs the verdict unreachable.
    ///   - onChange: receives each new verdict, in order, on the thread that caused it. It must not record results.
    package init(
        probe: some ReachabilityProbe, interval: Duration, fall: Int, rise: Int, clock: any Clock<Duration>,
        book: TroubleBook = TroubleBook(), onChange: @escaping @Sendable (Bool) -> Void
    ) {
        self.probe = probe
        self.interval = interval
        self.clock = clock
        self.book = book
        self.onChange = onChange
        threshold = Mutex(ReachabilityThreshold(fall: fall, rise: rise))
    }

    package var isReachable: Bool { verdict.load(ordering: .relaxed) }

    /// The last fault of a probe or, without one, of a request.
    package var problem: String? { faults.withLock { $0.probe ?? $0.request } }

    /// Counts toward `rise`, and breaks a row of failures.
    package func recordSuccess() { record(success: true) }

    /// Counts toward `fall`, and breaks a row of successes.
    package func recordFailure(_ cause: String) {
        faults.withLock { $0.request = cause }
        record(success: false)
    }

    /// Polls until the task is cancelled; the first probe comes at once.
    package func run() async {
        while !Task.isCancelled {
            let problem = await probe.problem()
            guard !Task.isCancelled else { return }
            if let problem { faults.withLock { $0.probe = problem } }
            record(success: problem == nil)
            // A success that leaves the verdict unreachable leaves its cause, too.
            if problem == nil, isReachable { faults.withLock { $0 = (nil, nil) } }
            guard (try? await clock.sleep(for: interval)) != nil else { return }
        }
    }

    private func record(success: Bool) {
        threshold.withLock { threshold in
            let changed = threshold.record(success: success)
            if changed != nil || !success { note(isReachable: threshold.isReachable) }
            guard let changed else { return }
            verdict.store(changed, ordering: .relaxed)
            onChange(changed)
        }
    }

    private func note(isReachable: Bool) {
        let cause = isReachable ? nil : "unreachable: \(problem ?? "requests fail")"
        book.record(.monitor, cause, lines: Self.lines)
    }
}

extension PollingReachabilityMonitor: TroubleReporting {
    package var troubles: [Trouble] { book.troubles }
}

/// Turns single results into a verdict that does not flap: `fall` failures in a row mean unreachable, `rise` successes in
/// a row reachable again. Starts reachable.
struct ReachabilityThreshold: Sendable {
    let fall: Int
    let rise: Int
    private(set) var isReachable = true
    /// The results in a row that contradict the verdict.
    private var opposing = 0

    /// - Precondition: both counts are at least 1.
    init(fall: Int, rise: Int) {
        precondition(fall > 0 && rise > 0, "a threshold counts at least one result")
        self.fall = fall
        self.rise = rise
    }

    /// Counts a result.
    /// - Returns: the new verdict if this result changed it.
    mutating func record(success: Bool) -> Bool? {
        guard success != isReachable else {
            opposing = 0
            return nil
        }
        opposing += 1
        guard opposing >= (isReachable ? fall : rise) else { return nil }
        isReachable = success
        opposing = 0
        return success
    }
}
