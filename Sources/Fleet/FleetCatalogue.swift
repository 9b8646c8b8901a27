package import Concurrency
package import CoreMetrics
package import Logging
package import Persistence
package import Products

/// Runs one member of a fleet: carries out what the member wants, and holds the catalogue that the fleet gives.
package final class FleetCatalogue: Sendable {
    /// - Parameters:
    ///   - storage: the storage under the fingerprint of this configuration.
    ///   - metricLabel: the store's label in metrics.
    package init(
        storage: any FleetStorage, settings: FleetMember.Settings, refill: (any ProductsStore)? = nil,
        logger: Logger, metricLabel: String = "", metrics: (any MetricsFactory)? = nil,
        clock: any Clock<Duration> = ContinuousClock(), wallClock: WallClock = .system
    ) {
        fatalError()
    }

    /// Takes part in the fleet until it is cancelled; then releases a turn that the member holds.
    package func run() async {}
    package var report: FleetReport { FleetReport() }
    /// Yields when a catalogue of another member, or another pin, waits to be asked for.
    package var news: AsyncStream<Void> { AsyncStream { $0.finish() } }
}
