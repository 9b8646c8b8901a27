internal import Concurrency

/// How long an endpoint that fails is left alone.
enum RetryPause {
    private static let backoff = Backoff(base: .seconds(1), cap: .seconds(300))
    /// How long an endpoint may ask for.
    private static let longestWait: Duration = .seconds(3600)

    /// Full jitter: anything from nothing to a limit that doubles with each failure, so that replicas that failed
    /// together do not come back together; at least what the endpoint asked for.
    ///
    /// - Parameters:
    ///   - failures: how many there were in a row, at least one.
    ///   - wait: what the endpoint asked for.
    ///   - jitter: where in the range the pause lies, 0 to 1.
    static func after(failures: Int, wait: Duration, jitter: Double) -> Duration {
        max(min(wait, longestWait), backoff.pause(after: failures) * jitter)
    }
}
