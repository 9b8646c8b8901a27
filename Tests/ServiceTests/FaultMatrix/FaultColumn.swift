import Testing

/// A graph in front of the upstream with its cell for each fault: a column of the matrix.
struct FaultColumn: Sendable, CustomTestStringConvertible {
    /// The parts of a graph's config.
    struct Parts: Sendable {
        /// The node that asks the upstream, in one line of YAML.
        let http: String
        /// The upstream's host and port.
        let address: String
        /// The timeout of a request to the upstream.
        let patience: String
        /// The timeout of a `timeout` decorator.
        let deadline: String
        /// A directory of the graph's own.
        let data: String
    }

    static let all = [bare, retry, breaker, timeout, fallback, memory, defaultGraph]

    let name: String
    /// Keeps answers, so a good one is fetched first.
    var keepsAnswers = false
    /// Takes a slow answer for a late one.
    var isImpatient = false
    /// The whole config.
    let yaml: @Sendable (Parts) throws -> String
    let cells: [Fault: Cell]

    var testDescription: String { name }
}

/// The outcome of three requests in a row to a graph whose upstream has a fault.
struct Cell: Sendable, Equatable, CustomStringConvertible {
    let sightings: [Sighting]
    /// The number of requests that the upstream saw.
    let requests: Int

    init(_ sightings: [Sighting], requests: Int) {
        self.sightings = sightings
        self.requests = requests
    }

    /// One outcome for all three.
    static func always(_ sighting: Sighting, requests: Int) -> Cell {
        Cell([sighting, sighting, sighting], requests: requests)
    }

    /// One outcome first, another for the later two.
    static func first(_ sighting: Sighting, then others: Sighting, requests: Int) -> Cell {
        Cell([sighting, others, others], requests: requests)
    }

    var description: String {
        sightings.map(\.description).joined(separator: "; ") + "; requests: \(requests)"
    }
}

/// The outcome of one request to a graph, with its trail.
struct Sighting: Sendable, Equatable, CustomStringConvertible {
    /// The answer in words, or the failure's token.
    let outcome: String
    /// The steps that the nodes report; none for a failure.
    let trail: [String]

    static func answer(_ words: String, _ trail: String...) -> Sighting {
        Sighting(outcome: words, trail: trail)
    }

    static func failure(_ token: String) -> Sighting {
        Sighting(outcome: "failed: \(token)", trail: [])
    }

    var description: String { "\(outcome) \(trail)" }
}
