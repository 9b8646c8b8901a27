public import Configuration

/// The `monitors:` section: named opinions on whether an upstream can be reached.
public enum MonitorFamily: ComponentFamily {
    /// What the others see of a monitor.
    public typealias Instance = any ReachabilityMonitor
    /// One of them in messages.
    public static let noun = "monitor"
    /// Where they are labelled.
    public static let section = "monitors"
    /// What a monitor knows of the world stays true.
    public static let isTakenOver = true

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
