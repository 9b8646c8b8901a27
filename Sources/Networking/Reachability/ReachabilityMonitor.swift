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

/// Says the same whatever happens: reachable, so that every request goes to the upstream first, or unreachable, for
/// working offline and for drills.
package struct FixedReachabilityMonitor: ReachabilityMonitor {
    package let isReachable: Bool

    package init(isReachable: Bool) {
        self.isReachable = isReachable
    }

    package var problem: String? { nil }
    package func recordSuccess() {}
    package func recordFailure() {}
}
