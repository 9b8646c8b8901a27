/// How many events there were in the last seconds, in constant space.
///
/// Events are counted by the second they fall into, and a second leaves as a whole when its turn comes again. So an
/// event is remembered for as long as the window at most, and for a second less at least.
struct SlidingCount: Sendable, Hashable {
    /// By second, modulo their number.
    private var counts: [Int]
    private var sum = 0
    private var newest: Int64 = 0

    /// Counts over a window of so many seconds.
    init(seconds: Int) {
        precondition(seconds > 0, "a window without time")
        counts = Array(repeating: 0, count: seconds)
    }

    /// Counts an event. Times are readings of one monotonic clock.
    mutating func add(at now: Duration) {
        advance(to: now)
        counts[Int(newest) % counts.count] += 1
        sum += 1
    }

    /// The number of events in the window that ends at `now`.
    mutating func total(at now: Duration) -> Int {
        advance(to: now)
        return sum
    }

    private mutating func advance(to now: Duration) {
        let second = now.components.seconds
        guard second > newest else { return }
        for step in 1...min(Int(second - newest), counts.count) {
            let old = (Int(newest) + step) % counts.count
            sum -= counts[old]
            counts[old] = 0
        }
        newest = second
    }
}
