package import Products

/// The state of one shared store, for pages, probes and metrics.
package struct FleetReport: Sendable {
    /// A replica of the fleet, by what it last said of itself.
    package struct Replica: Sendable, Hashable {
        package var name: String
        /// The generation that it gives.
        package var generation: Int
        package var revision: String
        package var holdsLease: Bool
        /// The time since it said so.
        package var silence: Duration
        /// The time for which a newer catalogue has been there.
        package var lag: Duration

        package init(
            name: String, generation: Int, revision: String, holdsLease: Bool, silence: Duration, lag: Duration
        ) {
            (self.name, self.generation, self.revision) = (name, generation, revision)
            (self.holdsLease, self.silence, self.lag) = (holdsLease, silence, lag)
        }
    }

    package var isConnected = false
    package var holdsLease = false
    /// The pointer of the storage as it was seen last; nil without one.
    package var pointer: CataloguePointer?
    /// The generation and the revision that this replica gives; nil before the first.
    package var held: (generation: Int, revision: String)?
    package var pin: CataloguePin?
    /// The time for which a newer catalogue has been known that is not given yet.
    package var lag = Duration.zero
    /// Whether the catalogue is that of another configuration, until there is one of this.
    package var isFormer = false

    package init() {}
}

/// A shared store that tells operators of its fleet.
package protocol FleetReporting: Sendable {
    /// The state at this moment, without asking the storage.
    var report: FleetReport { get }
    /// The replicas that are known, this one included, sorted by name; empty while the storage is away. It asks the
    /// storage and waits no longer than for one command.
    func replicas() async -> [FleetReport.Replica]
}
