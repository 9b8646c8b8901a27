package import Configuration

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
package enum MonitorFamily: ComponentFamily {
    package typealias Instance = any ReachabilityMonitor
    package static let noun = "monitor"
    package static let section = "monitors"

    package static let specs: [ComponentSpec<MonitorFamily>] = [
        TCPReachabilityProbe.spec, HTTPReachabilityProbe.spec, AlwaysReachableMonitor.spec, NeverReachableMonitor.spec,
    ]

    package static func adopt(_ instance: any ReachabilityMonitor, as outline: ComponentOutline, in assembly: Assembly)
        -> any ReachabilityMonitor
    {
        instance
    }
}

/// The clock and observer of monitors made from a config; a resource of the assembly.
package struct MonitorEnvironment: Sendable {
    /// Times the pauses between probes.
    let clock: any Clock<Duration>
    /// Receives a monitor's name and new verdict at each change, in order per monitor, on the thread that caused it. It
    /// must return quickly.
    let onChange: @Sendable (_ monitor: String, _ isReachable: Bool) -> Void

    package init(
        clock: any Clock<Duration> = ContinuousClock(),
        onChange: @escaping @Sendable (_ monitor: String, _ isReachable: Bool) -> Void
    ) {
        self.clock = clock
        self.onChange = onChange
    }
}

/// Always says reachable: every request goes to the upstream first.
package struct AlwaysReachableMonitor: ReachabilityMonitor {
    /// `type: always` in the `monitors:` section.
    package static let spec = ComponentSpec<MonitorFamily>(
        type: "always", summary: "never doubts the upstream", fields: [], example: "{ type: always }",
        plan: { _ in { _ in AlwaysReachableMonitor() } })

    package init() {}

    package var isReachable: Bool { true }

    package func recordSuccess() {}

    package func recordFailure() {}
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
