/// What is seen of a fault through a graph that is asked three times in a row, one after the other.
struct Cell: Sendable, Equatable, CustomStringConvertible {
    let sightings: [Sighting]
    /// How many requests the upstream saw meanwhile.
    let requests: Int

    init(_ sightings: [Sighting], requests: Int) {
        self.sightings = sightings
        self.requests = requests
    }

    /// The same each time.
    static func always(_ sighting: Sighting, requests: Int) -> Cell {
        Cell([sighting, sighting, sighting], requests: requests)
    }

    /// Something the first time, and something else from then on.
    static func first(_ sighting: Sighting, then others: Sighting, requests: Int) -> Cell {
        Cell([sighting, others, others], requests: requests)
    }

    var description: String {
        sightings.map(\.description).joined(separator: "; ") + "; requests: \(requests)"
    }
}
