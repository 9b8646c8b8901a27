public import Configuration

/// Tracks whether an upstream can be reached, to spare requests its timeout.
///
/// Reading is cheap enough for every request and never waits. Sources record the outcome of their requests, because a
/// real request is the best probe.
public protocol ReachabilityMonitor: Sendable {
    /// The current verdict.
    var isReachable: Bool { get }
    /// The fault of the last probe, in words; nil when it succeeded, and for monitors without probes.
    var problem: String? { get }
    /// Records a request that reached the upstream, whatever the status of its response.
    func recordSuccess()
    /// Records a request that could not reach the upstream (`HTTPClientError.isConnectionFailure`).
    func recordFailure()
}

extension ReachabilityMonitor {
    /// Nil, for monitors without probes.
    public var problem: String? { nil }
}

/// The `monitors:` section.
public enum MonitorFamily: ComponentFamily {
    /// A monitor.
    public typealias Instance = any ReachabilityMonitor
    /// `monitor`.
    public static let noun = "monitor"
    /// `monitors`.
    public static let section = "monitors"

    /// Every monitor a config file can name.
    public static let specs: [ComponentSpec<MonitorFamily>] = [
        TCPReachabilityProbe.spec, HTTPReachabilityProbe.spec, AlwaysReachableMonitor.spec, NeverReachableMonitor.spec,
    ]
}

/// The clock and observer of monitors made from a config; a resource of the assembly.
public struct MonitorEnvironment: Sendable {
    /// Times the pauses between probes.
    let clock: any Clock<Duration>
    /// Receives a monitor's name and new verdict at each change, in order per monitor, on the thread that caused it. It
    /// must return quickly.
    let onChange: @Sendable (_ monitor: String, _ isReachable: Bool) -> Void

    /// Creates an environment.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        onChange: @escaping @Sendable (_ monitor: String, _ isReachable: Bool) -> Void
    ) {
        self.clock = clock
        self.onChange = onChange
    }
}

/// Always says reachable: every request goes to the upstream first.
public struct AlwaysReachableMonitor: ReachabilityMonitor {
    /// `type: always` in the `monitors:` section.
    public static let spec = ComponentSpec<MonitorFamily>(
        type: "always", summary: "never doubts the upstream", fields: [], example: "{ type: always }",
        plan: { _ in { _ in AlwaysReachableMonitor() } })

    /// Creates the monitor.
    public init() {}

    /// True.
    public var isReachable: Bool { true }

    /// Ignored.
    public func recordSuccess() {}

    /// Ignored.
    public func recordFailure() {}
}

/// Always says unreachable, for working offline and for drills.
struct NeverReachableMonitor: ReachabilityMonitor {
    static let spec = ComponentSpec<MonitorFamily>(
        type: "never", summary: "takes the upstream for gone", fields: [], example: "{ type: never }",
        plan: { _ in { _ in NeverReachableMonitor() } })

    var isReachable: Bool { false }
    func recordSuccess() {}
    func recordFailure() {}
}
