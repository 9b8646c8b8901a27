internal import Networking

extension ReachabilityProductsProviderStrategy: LiveStateReporting {
    /// What the monitor says at this moment.
    public var liveState: [LiveStateEntry] { [LiveStateEntry("reachable", monitor.isReachable ? "yes" : "no")] }
}
