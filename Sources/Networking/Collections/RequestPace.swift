internal import Concurrency

/// A number of requests in a time: `50/s`, `600/m`.
package struct RequestRate: Sendable, Hashable {
    private static let units: [Substring: Duration] = ["s": .seconds(1), "m": .seconds(60)]
    /// The fastest rate; the shortest pause is a tenth of a millisecond.
    private static let fastest = Duration.microseconds(100)

    /// The time between the beginnings of two requests.
    package let pause: Duration

    /// - Parameter pause: the time between the beginnings of two requests.
    package init(pause: Duration) {
        self.pause = pause
    }

    /// Parses a rate; nil for a text that is none, and for more than 10,000 requests a second.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let unit = Self.units[parts[1]], let count = Int(parts[0]), count > 0,
            unit / count >= Self.fastest
        else { return nil }
        pause = unit / count
    }
}

/// Lets requests begin one after the other, no faster than a rate.
package final class RequestPace: Sendable {
    private let rate: RequestRate
    private let clock: any Clock<Duration>
    /// The earliest beginning of the next request.
    private let next: TimedState<Duration>

    package init(_ rate: RequestRate, clock: any Clock<Duration>) {
        (self.rate, self.clock) = (rate, clock)
        next = TimedState(.zero, clock: clock)
    }

    /// Waits until the next request may begin.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    package func wait() async throws {
        try Task.checkCancellation()
        let pause = rate.pause
        let wait = next.update { next, now in
            let start = max(next, now)
            next = start + pause
            return start - now
        }
        if wait > .zero { try await clock.sleep(for: wait) }
    }
}
