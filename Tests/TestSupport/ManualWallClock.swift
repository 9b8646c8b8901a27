package import Concurrency
public import FoundationEssentials

/// A time of day that a test holds: it stands still until the test moves it, in either direction.
public final class ManualWallClock: Sendable {
    private struct State: Sendable {
        var time: Date
        /// The seconds of all moves back.
        var setBack = 0.0

        mutating func move(by seconds: Double) {
            time += seconds
            setBack += max(0, -seconds)
        }
    }

    private let state: Mutex<State>
    /// The seconds by which it has gone on by itself.
    private let elapsed: @Sendable () -> Double

    /// Creates a clock that shows this moment; without one, a day in 2026.
    public init(now: Date = Date(timeIntervalSince1970: 1_769_860_800)) {
        state = Mutex(State(time: now))
        elapsed = { 0 }
    }

    /// Creates a clock that goes on as the machine's does, beside a server that has no other.
    package init(beside uptime: Uptime) {
        state = Mutex(State(time: Date()))
        elapsed = { uptime.now / .seconds(1) }
    }

    /// The current time.
    public var now: Date {
        get { state.withLock { $0.time } + elapsed() }
        set {
            let elapsed = elapsed()
            state.withLock { $0.move(by: newValue.timeIntervalSince($0.time) - elapsed) }
        }
    }

    /// Moves the clock on, or back by a negative duration.
    public func advance(by duration: Duration) {
        state.withLock { $0.move(by: duration / .seconds(1)) }
    }

    /// The clock for the parts under test, beside an even one that goes on with it and never back.
    package var wallClock: WallClock {
        WallClock(
            now: { [self] in now },
            even: { [self] in state.withLock { $0.time.timeIntervalSince1970 + $0.setBack } + elapsed() })
    }
}
