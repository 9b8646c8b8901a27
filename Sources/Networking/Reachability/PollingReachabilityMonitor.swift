internal import Concurrency
internal import Configuration
internal import struct Synchronization.Atomic

/// Polls a probe at an interval, and counts the results of real requests as well.
final class PollingReachabilityMonitor: ReachabilityMonitor {
    private let probe: any ReachabilityProbe
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let onChange: @Sendable (Bool) -> Void
    /// Locked also while a change is reported, to keep the reports in order.
    private let threshold: Mutex<ReachabilityThreshold>
    /// A copy of the verdict, which requests read without a lock.
    private let verdict = Atomic<Bool>(true)
    private let lastProblem = Mutex<String?>(nil)

    /// Creates a monitor that starts with the verdict reachable.
    ///
    /// - Parameters:
    ///   - interval: the pause between probes.
    ///   - fall: failures in a row that make the upstream unreachable; at least 1.
    ///   - rise: successes in a row that make it reachable again; at least 1.
    ///   - onChange: receives each new verdict, in order, on the thread that caused it. It must not record results.
    init(
        probe: some ReachabilityProbe, interval: Duration, fall: Int, rise: Int, clock: any Clock<Duration>,
        onChange: @escaping @Sendable (Bool) -> Void
    ) {
        self.probe = probe
        self.interval = interval
        self.clock = clock
        self.onChange = onChange
        threshold = Mutex(ReachabilityThreshold(fall: fall, rise: rise))
    }

    var isReachable: Bool { verdict.load(ordering: .relaxed) }

    var problem: String? { lastProblem.withLock { $0 } }

    /// Counts toward `rise`, and breaks a row of failures.
    func recordSuccess() { record(success: true) }

    /// Counts toward `fall`, and breaks a row of successes.
    func recordFailure() { record(success: false) }

    /// Polls until the task is cancelled; the first probe comes at once.
    func run() async {
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

/// The settings that all polling monitors share.
struct PollingSettings: Sendable {
    static let fields: [FieldSpec] = [
        .defaulted("interval", .duration, "5s", "Between two probes."),
        .defaulted("timeout", .duration, "1s", "A probe that takes longer has failed."),
        .defaulted("fall", .integer, "2", "Failures in a row, of probes and real requests, that mean unreachable."),
        .defaulted("rise", .integer, "2", "Successes in a row that mean reachable again."),
    ]

    let name: String
    let interval: Duration
    let timeout: Duration
    let fall: Int
    let rise: Int

    init(_ reader: FieldReader) {
        name = reader.name
        // A shorter one would be a load test of the upstream.
        interval = reader.duration("interval", in: .milliseconds(10)...)
        timeout = reader.duration("timeout", in: .milliseconds(1)...)
        fall = reader.integer("fall", in: 1...)
        rise = reader.integer("rise", in: 1...)
    }

    /// Makes a monitor that polls in the background of the assembly.
    func monitor(_ probe: some ReachabilityProbe, in assembly: Assembly) -> PollingReachabilityMonitor {
        let environment = assembly.resource(MonitorEnvironment.self)
        let monitor = PollingReachabilityMonitor(
            probe: probe, interval: interval, fall: fall, rise: rise, clock: environment.clock,
            onChange: { [name] in environment.onChange(name, $0) })
        assembly.background("monitor \(name)") { await monitor.run() }
        return monitor
    }
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
