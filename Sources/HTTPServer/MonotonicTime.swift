internal import Glibc

/// The time by the clock that measures durations, read without what `ContinuousClock` costs: it is read several times
/// for each request.
public enum MonotonicTime {
    /// Since some moment that stays the same while the machine runs.
    public static var nanoseconds: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
