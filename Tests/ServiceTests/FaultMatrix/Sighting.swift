/// What a request to a graph gets: the answer or the failure, and the trail of it.
struct Sighting: Sendable, Equatable, CustomStringConvertible {
    /// The answer in words, or the failure's token.
    let outcome: String
    /// What the nodes say they did. A failure has no trail.
    let trail: [String]

    static func answer(_ words: String, _ trail: String...) -> Sighting {
        Sighting(outcome: words, trail: trail)
    }

    static func failure(_ token: String) -> Sighting {
        Sighting(outcome: "failed: \(token)", trail: [])
    }

    var description: String { "\(outcome) \(trail)" }
}
