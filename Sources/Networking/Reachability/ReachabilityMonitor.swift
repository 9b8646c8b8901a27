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

/// The `monitors:` section.
package enum MonitorFamily: ComponentFamily {
    package typealias Instance = any ReachabilityMonitor
    package static let noun = "monitor"
    package static let section = "monitors"

    package static let specs: [ComponentSpec<MonitorFamily>] = [
        TCPReachabilityProbe.spec, HTTPReachabilityProbe.spec, FixedReachabilityMonitor.always,
        FixedReachabilityMonitor.never,
    ]
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

/// Says the same whatever happens: reachable, so that every request goes to the upstream first, or unreachable, for
/// working offline and for drills.
package struct FixedReachabilityMonitor: ReachabilityMonitor {
    static let always = ComponentSpec<MonitorFamily>(
        type: "always", summary: "never doubts the upstream", fields: [], example: "{ type: always }",
        plan: { _ in { _ in FixedReachabilityMonitor(isReachable: true) } })

    static let never = ComponentSpec<MonitorFamily>(
        type: "never", summary: "takes the upstream for gone", fields: [], example: "{ type: never }",
        plan: { _ in { _ in FixedReachabilityMonitor(isReachable: false) } })

    package let isReachable: Bool

    package init(isReachable: Bool) {
        self.isReachable = isReachable
    }

    package var problem: String? { nil }
    package func recordSuccess() {}
    package func recordFailure() {}
}
