public import FoundationEssentials

/// The time of day, as a value that tests can replace. Age must survive a restart, so it is measured by this clock and
/// not by a monotonic one.
public struct WallClock: Sendable {
    /// The current time.
    public var now: @Sendable () -> Date

    /// A clock that tells what the closure tells.
    public init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// The machine's clock.
    public static let system = WallClock { Date() }
}
