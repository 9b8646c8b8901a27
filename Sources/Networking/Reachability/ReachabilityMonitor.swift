public import Configuration

/// Says whether an upstream can be reached, so that nobody has to wait for a timeout to find out.
///
/// Asking is cheap enough for every request and never waits. Those who talk to the upstream tell the monitor how it
/// went, because a real request is the best probe.
public protocol ReachabilityMonitor: Sendable {
    /// The present verdict.
    var isReachable: Bool { get }
    /// The fault that the last probe found, in words; nil when it succeeded, and where nobody probes.
    var problem: String? { get }
    /// A real request reached the upstream, whatever the status of its response.
    func recordSuccess()
    /// A real request could not reach the upstream (`HTTPClientError.isConnectionFailure`).
    func recordFailure()
}

extension ReachabilityMonitor {
    /// Nil: a monitor that does not probe finds nothing.
    public var problem: String? { nil }
}

/// The `monitors:` section: named opinions on whether an upstream can be reached.
public enum MonitorFamily: ComponentFamily {
    /// What the others see of a monitor.
    public typealias Instance = any ReachabilityMonitor
    /// One of them in messages.
    public static let noun = "monitor"
    /// Where they are labelled.
    public static let section = "monitors"

    /// Every monitor a config file can name.
    public static let specs: [ComponentSpec<MonitorFamily>] = [
        TCPReachabilityProbe.spec, HTTPReachabilityProbe.spec, AlwaysReachableMonitor.spec, NeverReachableMonitor.spec,
    ]

    /// Used as it was made.
    public static func adopt(_ instance: any ReachabilityMonitor, as outline: ComponentOutline, in assembly: Assembly)
        -> any ReachabilityMonitor
    {
        instance
    }
}

/// What monitors made from a config need beside the HTTP client; a resource of the assembly.
public struct MonitorEnvironment: Sendable {
    /// Times the pauses between probes.
    public let clock: any Clock<Duration>
    /// Gets a monitor's name and its new verdict at each change, in order per monitor, on the thread that caused it. It
    /// must return quickly.
    public let onChange: @Sendable (_ monitor: String, _ isReachable: Bool) -> Void

    /// Creates an environment.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        onChange: @escaping @Sendable (_ monitor: String, _ isReachable: Bool) -> Void
    ) {
        self.clock = clock
        self.onChange = onChange
    }
}

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
