/// Turns single results into a verdict that does not flap: `fall` failures in a row make unreachable, `rise` successes
/// in a row make reachable again. Starts reachable, because at start nothing is known against the upstream.
struct ReachabilityThreshold: Sendable {
    let fall: Int
    let rise: Int
    private(set) var isReachable = true
    /// Results in a row that speak against the present verdict.
    private var opposing = 0

    /// - Precondition: both counts are at least 1.
    init(fall: Int, rise: Int) {
        precondition(fall > 0 && rise > 0, "a threshold counts at least one result")
        self.fall = fall
        self.rise = rise
    }

    /// Counts a result. Gives back the new verdict when this result changed it, else nil.
    mutating func record(success: Bool) -> Bool? {
        guard success != isReachable else {
            opposing = 0
            return nil
        }
        opposing += 1
        guard opposing >= (isReachable ? fall : rise) else { return nil }
        isReachable = success
        opposing = 0
        return success
    }
}
