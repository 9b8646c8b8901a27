package import CoreMetrics
internal import FileSystem
package import Logging
package import Products

/// Keeps products in a directory of JSON files, one a generation, each of which `jq` can read.
///
/// A file is written whole under another name, forced to disk and then renamed, so the directory holds only whole
/// generations at every moment. Each carries checksums. A damaged file is moved aside as `*.corrupt`, and the next older
/// generation is used. Files of a newer version of the service are neither used, changed nor removed, and saves go on
/// above their numbers. Numbers only go up.
///
/// Many stores, in one process or several, may work on one directory. The last loaded snapshot stays in memory, and
/// files are read again only when the newest has changed. A disk that hangs blocks only the store's own threads: one for
/// loads, one for saves, one that counts. A load that takes too long is left behind, and the snapshot in memory is given.
package final class JSONFileProductsStore: ProductsStore {
    private let name: String
    private let directory: GenerationDirectory
    private let cache: GenerationCache
    private let counter: GenerationCounter
    private let deferred: DeferredSaver
    private let patience: Duration
    private let clock: any Clock<Duration>
    private let loads = BlockingQueue("larder store loads")
    private let write: @Sendable (ProductsSnapshot) async throws -> Void

    /// The time limit of a load while nothing is in memory to give instead.
    private static let longestPatience = Duration.seconds(5)
    /// The time that the closing store waits for the running save and the one behind it.
    package static let closingTime = Duration.seconds(2)

    /// Makes a store; its directory is made at the first save.
    /// - Parameters:
    ///   - keep: the generations to keep, the newest included; at least 1.
    ///   - movesDamaged: whether loads move damaged generations out of the way.
    ///   - metricLabel: the store's label in the count of failures, which `metrics` records.
    ///   - patience: the time limit of a load while memory holds a snapshot to give instead.
    package init(
        name: String = "json_file", directory: String, keep: Int = 3, movesDamaged: Bool = true, logger: Logger,
        metricLabel: String = "", metrics: (any MetricsFactory)? = nil, patience: Duration = .milliseconds(50),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        precondition(keep >= 1, "a store that keeps nothing")
        var logger = logger
        logger[metadataKey: "store"] = "\(name)"
        let directory = GenerationDirectory(path: directory)
        self.name = name
        self.directory = directory
        self.patience = patience
        self.clock = clock
        let failures = StoreFailureMeter(store: metricLabel, factory: metrics)
        let writer = GenerationWriter(directory: directory, keep: keep, logger: logger)
        let cache = GenerationCache(
            directory: directory, logger: logger, failures: failures, movesDamaged: movesDamaged)
        let saves = BlockingQueue("larder store saves", inBackground: true)
        let save: @Sendable (ProductsSnapshot) async throws -> Void = { snapshot in
            try await saves.run { () throws(ProductsFailure) in
                do {
                    let generation = try writer.write(snapshot)
                    cache.adopt(GenerationFile.reread(snapshot), as: generation)
                } catch {
                    failures.note(StoreFailureReason(saving: error))
                    throw .storeFailed(detail: "\(error)")
                }
            }
        }
        self.cache = cache
        self.write = save
        deferred = DeferredSaver(clock: clock, logger: logger, onSlow: { failures.note(.slow) }, save: save)
        counter = GenerationCounter { () throws(FileSystemError) in try directory.list().generations.count }
    }

    /// Gives the newest good generation, or the snapshot that is being saved as it.
    /// - Throws: `ProductsFailure.notStored` when there is none, and `storeFailed` when the directory or all its files
    ///   cannot be read in time.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let snapshot = try await snapshot(by: request.deadline)
        return ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: name, outcome: .hit)])
    }

    private func snapshot(by deadline: ContinuousClock.Instant?) async throws(ProductsFailure) -> ProductsSnapshot {
        if let unsaved = deferred.unsaved { return GenerationFile.reread(unsaved) }
        let kept = cache.kept
        let left = deadline.map { ContinuousClock.now.duration(to: $0) } ?? Self.longestPatience
        let limit = kept == nil ? min(left, Self.longestPatience) : patience
        let loaded = await loads.run(within: limit, waitsBehindAbandoned: kept == nil, clock: clock) { [cache] in
            Result { () throws(ProductsFailure) in try cache.current() }
        }
        if let loaded { return try loaded.get() }
        guard let kept else { throw .storeFailed(detail: "\(directory.path) does not answer", answered: false) }
        return kept
    }

    /// Writes a generation, which outlasts a power cut when this returns. When it throws, the older ones are as before.
    /// - Throws: `ProductsFailure.storeFailed`, with the file and the system's reason.
    package func save(_ snapshot: ProductsSnapshot) async throws {
        try await write(snapshot)
    }

    package func saveLater(_ snapshot: ProductsSnapshot) {
        deferred.submit(snapshot)
    }

    /// Returns when the deferred saves are done or have failed, at the latest after `limit`.
    package func close(within limit: Duration = closingTime) async {
        await deferred.drain(within: limit)
    }

    /// The time that the running save has taken so far; zero without one.
    package var savingTime: Duration { deferred.runningTime }

    /// Counts generations, good or not; none without a directory.
    package func generationCount() async -> Int? {
        await counter.count()
    }
}
