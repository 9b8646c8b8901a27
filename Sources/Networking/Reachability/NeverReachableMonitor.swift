public import Configuration

/// Takes the upstream for gone, whatever happens: for working offline and for drills.
public struct NeverReachableMonitor: ReachabilityMonitor {
    /// `type: never` in the `monitors:` section.
    public static let spec = ComponentSpec<MonitorFamily>(
        type: "never", summary: "takes the upstream for gone", fields: [], example: "{ type: never }",
        plan: { _ in { _ in NeverReachableMonitor() } })

    /// Creates the monitor.
    public init() {}

    /// False.
    public var isReachable: Bool { false }

    /// Changes nothing.
    public func recordSuccess() {}

    /// Changes nothing.
    public func recordFailure() {}
}
