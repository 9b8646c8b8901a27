package import Concurrency
package import CoreMetrics
package import Logging
package import Persistence
package import Products

/// Keeps the catalogue of a fleet in Redis or Valkey.
///
/// Nothing here is done unless a `caching` runs a catalogue of this store: its job keeps the connection.
package final class RedisProductsStore: ProductsStore, ProductsHistory, FleetReporting {
    /// - Parameters:
    ///   - storage: makes the storage of a fingerprint.
    ///   - refill: gives the catalogue from before the start.
    package init(
        name: String = "redis", settings: FleetMember.Settings, refill: (any ProductsStore)? = nil, logger: Logger,
        metricLabel: String = "", metrics: (any MetricsFactory)? = nil,
        clock: any Clock<Duration> = ContinuousClock(), wallClock: WallClock = .system,
        storage: @escaping @Sendable (_ fingerprint: String) -> any FleetStorage
    ) {
        fatalError()
    }

    /// The fleet's catalogue for a configuration. The same one for the same fingerprint, from now on with this judge.
    package func catalogue(fingerprint: String, judge: (any CatalogueJudge)?) -> FleetCatalogue { fatalError() }

    /// Yields when memories have to ask again: with ``RefreshOrder/isNews``.
    package var news: AsyncStream<Void> { AsyncStream { $0.finish() } }
    package var report: FleetReport { FleetReport() }
    package func replicas() async -> [FleetReport.Replica] { [] }
    /// Lets a revision through the gates of all replicas.
    /// - Throws: `ProductsFailure.storeFailed` while the storage is away.
    package func accept(revision: String) async throws(ProductsFailure) {}

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        throw ProductsFailure.notStored
    }
    package var isPinned: Bool { false }
    package func pinnedAnswer(to request: ProductsRequest) async -> ProductsAnswer? { nil }
    package func save(_ snapshot: ProductsSnapshot) async throws { saveLater(snapshot) }
    package func saveLater(_ snapshot: ProductsSnapshot) {}
    package func generationCount() async -> Int? { nil }
    package var savingTime: Duration { .zero }
    package func history() async throws(ProductsFailure) -> [HistoryEntry] { [] }
    package func snapshot(of target: HistoryTarget) async throws(ProductsFailure) -> ProductsSnapshot {
        throw .notStored
    }
    package func currentPin() async throws(ProductsFailure) -> CataloguePin? { nil }
    package func pin(_ target: HistoryTarget, by order: OperatorOrder) async throws(ProductsFailure) -> CataloguePin {
        throw .notStored
    }
    package func unpin() async throws(ProductsFailure) -> CataloguePin? { nil }
}
