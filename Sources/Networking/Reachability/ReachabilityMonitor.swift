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
