public import Configuration

/// Never doubts the upstream: every request goes there first.
public struct AlwaysReachableMonitor: ReachabilityMonitor {
    /// `type: always` in the `monitors:` section.
    public static let spec = ComponentSpec<MonitorFamily>(
        type: "always", summary: "never doubts the upstream", fields: [], example: "{ type: always }",
        plan: { _ in { _ in AlwaysReachableMonitor() } })

    /// Creates the monitor.
    public init() {}

    /// True.
    public var isReachable: Bool { true }

    /// Changes nothing.
    public func recordSuccess() {}

    /// Changes nothing.
    public func recordFailure() {}
}
