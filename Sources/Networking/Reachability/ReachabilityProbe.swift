/// One look at whether an upstream is there.
public protocol ReachabilityProbe: Sendable {
    /// Tries once, within its own timeout.
    func succeeds() async -> Bool
}
