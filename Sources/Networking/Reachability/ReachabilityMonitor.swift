/// Says whether an upstream can be reached, so that nobody has to wait for a timeout to find out.
///
/// Asking is cheap enough for every request and never waits. Those who talk to the upstream tell the monitor how it
/// went, because a real request is the best probe.
public protocol ReachabilityMonitor: Sendable {
    /// The present verdict.
    var isReachable: Bool { get }
    /// A real request reached the upstream, whatever the status of its response.
    func recordSuccess()
    /// A real request could not reach the upstream (`HTTPClientError.isConnectionFailure`).
    func recordFailure()
}
