/// One look at whether an upstream is there.
public protocol ReachabilityProbe: Sendable {
    /// Tries once, within its own timeout.
    func succeeds() async -> Bool
    /// Tries once as well, and tells in words what went wrong; nil when nothing did.
    func problem() async -> String?
}

extension ReachabilityProbe {
    /// No more than that the probe failed.
    public func problem() async -> String? {
        await succeeds() ? nil : "the probe failed"
    }
}
