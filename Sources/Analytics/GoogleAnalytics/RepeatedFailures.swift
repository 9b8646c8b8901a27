/// How often events that wait could not be delivered, by where they wait.
///
/// One request that fails whenever it is sent must not keep all others from being sent: what has failed as often as
/// events have patience goes behind what has not.
struct RepeatedFailures: Sendable {
    /// How often what waits somewhere may fail before it is suspected to be the reason.
    static let patience = 5

    private var counts: [String: Int] = [:]

    /// How far behind the others stands what waits there: not at all, or by how often it has failed, so that of several
    /// each gets its turn.
    func rank(of place: String) -> Int {
        let count = counts[place, default: 0]
        return count < Self.patience ? 0 : count
    }

    /// Takes note of a try.
    mutating func note(_ place: String, isDelivered: Bool) {
        counts[place] = isDelivered ? nil : counts[place, default: 0] + 1
    }

    /// Forgets all other places.
    mutating func keep(_ places: [String]) {
        let kept = Set(places)
        counts = counts.filter { kept.contains($0.key) }
    }
}
