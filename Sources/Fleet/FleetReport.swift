internal import Concurrency
package import CoreMetrics
package import Health
internal import Logging
package import Products
package import Prometheus

/// The state of one shared store, for pages, probes and metrics.
package struct FleetReport: Sendable {
    /// The last published status of a replica.
    package struct Replica: Sendable, Hashable {
        package var name: String
        /// The generation that it serves.
        package var generation: Int
        package var revision: String
        package var holdsTurn: Bool
        /// The time since the status was published.
        package var silence: Duration
        /// The time since a newer catalogue was committed.
        package var lag: Duration

        package init(
            name: String, generation: Int, revision: String, holdsTurn: Bool, silence: Duration, lag: Duration
        ) {
            (self.name, self.generation, self.revision) = (name, generation, revision)
            (self.holdsTurn, self.silence, self.lag) = (holdsTurn, silence, lag)
        }
    }

    /// The time after which a newer catalogue that is not served yet is a trouble.
    package static let longestLag = Duration.seconds(60)

    /// The name of this replica in the fleet.
    package var name = ""
    package var isConnected = false
    package var holdsTurn = false
    /// The pointer that was last read from the storage.
    package var pointer: CataloguePointer?
    /// The generation and the revision that this replica serves.
    package var served: (generation: Int, revision: String)?
    package var pin: CataloguePin?
    /// The time since a newer catalogue became known that is not served yet.
    package var lag = Duration.zero
    /// How far this machine's clock is ahead of the storage's.
    package var clockDifference: Duration?
    /// Whether another configuration's catalogue substitutes for the first of this one.
    package var isFormer = false
    /// The revision that a gate of the fleet refused last; nil when the last refresh passed.
    package var refused: String?
    /// The troubles of the storage, and of this replica with it.
    package var troubles: [Trouble] = []

    package init() {}
}

/// A shared store that reports on its fleet, and passes operators' orders to it.
package protocol FleetReporting: Sendable {
    /// The state at this moment, without asking the storage.
    var report: FleetReport { get }
    /// The known replicas, this one included, sorted by name; empty while the storage is away. Sends one command.
    func replicas() async -> [FleetReport.Replica]
    /// Lets a revision through the gates of all replicas.
    /// - Throws: `ProductsFailure.storeFailed` while the storage is away.
    func accept(revision: String) async throws(ProductsFailure)
}

/// A history that all replicas of a fleet share. Orders about it apply to all of them.
package typealias SharedHistory = ProductsHistory & FleetReporting

/// Counts a member's notes. Every series begins with 0, so that Prometheus sees its first increase.
package struct FleetMeter: Sendable {
    private let commits: [String: Counter]
    private let reads: [String: Counter]
    private let propagation: CoreMetrics.Timer

    /// - Parameter store: the label of the store in metrics.
    package init(store: String, factory: any MetricsFactory) {
        func counters(_ description: MetricDescription, _ outcomes: [String]) -> [String: Counter] {
            outcomes.reduce(into: [:]) { counters, outcome in
                counters[outcome] = description.counter([("store", store), ("outcome", outcome)], in: factory)
            }
        }
        commits = counters(
            .sharedCommits, ["committed", "confirmed", "fenced", "missing", "too_large", "failed"])
        reads = counters(
            .sharedReads, ["adopted", "missing", "damaged", "too_large", "refused", "failed", "lost"])
        propagation = MetricDescription.sharedPropagation.timer([("store", store)], in: factory)
    }

    package func count(_ note: FleetNote) {
        switch note {
        case .commit("refilled"): commits["committed"]?.increment()
        case .commit("late"): commits["fenced"]?.increment()
        case .commit(let outcome): commits[outcome]?.increment()
        case .read(let outcome): reads[outcome]?.increment()
        case .lost: reads["lost"]?.increment()
        }
    }

    /// Records the time from the commit of a catalogue, by the storage's clock, until this replica serves it.
    package func adopted(after delay: Duration) {
        propagation.recordNanoseconds(Int64(max(0, delay / .nanoseconds(1))))
    }
}

extension FleetCatalogue {
    /// Counts and logs a note of the member.
    func record(_ note: FleetNote) {
        meter.count(note)
        switch note {
        case .commit("refilled"): logger.notice("the shared storage has its catalogue again")
        case .commit("late"):
            logger.warning(
                "the refresh took longer than the turn: its catalogue is not shared",
                metadata: ["lease": "\(settings.turnLength)"])
        case .commit("fenced"):
            logger.warning("another replica has refreshed meanwhile: this replica's catalogue is not shared")
        case .commit("too_large"), .read("too_large"):
            logger.warning("the catalogue is too large to be shared", metadata: ["max_bytes": "\(settings.maxBytes)"])
        case .lost: logger.warning("the shared storage has lost its catalogue")
        case .commit, .read: break
        }
    }
}

extension MetricDescription {
    package static let sharedCommits = MetricDescription(
        "larder_shared_commits", .counter,
        "Catalogues that the replica fetched for the fleet, by what the shared store made of them.")
    package static let sharedReads = MetricDescription(
        "larder_shared_reads", .counter,
        "Catalogues of other replicas that the replica read, by what came of it; lost where the store had forgotten one."
    )
    package static let sharedPropagation = MetricDescription(
        "larder_shared_propagation_seconds", .histogram,
        "The time from the commit of a catalogue, by the clock of the shared store, until the replica gives it.")
}
