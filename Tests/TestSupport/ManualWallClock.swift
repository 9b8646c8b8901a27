internal import Concurrency
public import FoundationEssentials

/// A time of day that a test holds: it stands still until the test moves it, in either direction.
public final class ManualWallClock: Sendable {
    private let time: Mutex<Date>

    /// Creates a clock that shows this moment; without one, a day in 2026.
    public init(now: Date = Date(timeIntervalSince1970: 1_769_860_800)) {
        time = Mutex(now)
    }

    /// The current time.
    public var now: Date {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    /// Moves the clock on, or back by a negative duration.
    public func advance(by duration: Duration) {
        time.withLock { $0 += duration / .seconds(1) }
    }
}
