public import Configuration
import CoreMetrics
internal import FileSystem
public import Logging
public import Products

/// Keeps products in a directory of JSON files, one a generation, each of which `jq` can read.
///
/// A file is written whole under another name, forced to disk and then renamed, so at every moment the directory holds
/// only whole generations. Each carries checksums. What turns out damaged is moved aside as `*.corrupt` and the next
/// older generation is used; what a newer version of the service wrote is neither used, changed nor removed, and saves
/// go on above its number. Numbers only ever go up.
///
/// Many stores, in one process or several, may work on one directory. The last loaded snapshot is kept, and files are
/// read again only when the newest is another than before. Whatever the disk does, it stops threads of the store's own:
/// one for loads, one for saves, and one that counts. A load that is not done soon is left behind, and what is in
/// memory is given instead.
public final class JSONFileProductsStore: ProductsStore, StoreReporting {
    private let name: String
    private let directory: GenerationDirectory
    private let cache: GenerationCache
    private let counter: GenerationCounter
    private let deferred: DeferredSaver
    private let patience: Duration
    private let clock: any Clock<Duration>
    private let loads = BlockingQueue("larder store loads")
    private let write: @Sendable (ProductsSnapshot) async throws -> Void

    /// How long a load is waited for where there is nothing in memory to give instead.
    private static let longestPatience = Duration.seconds(5)
    /// How long the closing store waits for the save that runs, and for the one behind it.
    public static let closingTime = Duration.seconds(2)

    /// A store in a directory, which is made at the first save.
    /// - Parameters:
    ///   - name: the node's name in trails and logs.
    ///   - keep: how many generations there are to step back to, the newest included; at least 1.
    ///   - movesDamaged: whether loads move damaged generations out of the way.
    ///   - failures: where failures are counted.
    ///   - patience: how long a load is waited for where there is something in memory to give instead.
    ///   - clock: what waiting is measured by.
    public init(
        name: String = "json_file", directory: String, keep: Int = 3, movesDamaged: Bool = true, logger: Logger,
        failures: StoreFailureMeter = StoreFailureMeter(), patience: Duration = .milliseconds(50),
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
        let writer = GenerationWriter(directory: directory, keep: keep, logger: logger)
        let cache = GenerationCache(
            directory: directory, logger: logger, failures: failures, movesDamaged: movesDamaged)
        let saves = BlockingQueue("larder store saves")
        let save: @Sendable (ProductsSnapshot) async throws -> Void = { snapshot in
            try await saves.run { () throws(ProductsFailure) in
                try Self.write(snapshot, writer, cache, failures)
            }
        }
        self.cache = cache
        self.write = save
        deferred = DeferredSaver(clock: clock, logger: logger, onSlow: { failures.note(.slow) }, save: save)
        counter = GenerationCounter { () throws(FileSystemError) in try directory.list().generations.count }
    }

    /// The newest good generation, or what is about to become it.
    /// - Throws: `ProductsFailure.notStored` when there is none, and `storeFailed` when the directory or all that is in
    ///   it cannot be read, or does not answer in time.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
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

    /// Writes a generation. When this returns, it outlasts a power cut; when it throws, what was there is there still.
    /// - Throws: `ProductsFailure.storeFailed`, with the file and the system's reason.
    public func save(_ snapshot: ProductsSnapshot) async throws {
        try await write(snapshot)
    }

    /// Has the snapshot written as a generation when the save before it is done.
    public func saveLater(_ snapshot: ProductsSnapshot) {
        deferred.submit(snapshot)
    }

    /// Returns when what was to be saved later is saved or has failed, at the latest after `limit`.
    public func close(within limit: Duration = closingTime) async {
        await deferred.drain(within: limit)
    }

    /// For how long the save that runs has been running; zero without one.
    public var savingTime: Duration { deferred.runningTime }

    /// How many generations there are, good or not; none where there is no directory.
    public func generationCount() async -> Int? {
        await counter.count()
    }

    private static func write(
        _ snapshot: ProductsSnapshot, _ writer: GenerationWriter, _ cache: GenerationCache,
        _ failures: StoreFailureMeter
    ) throws(ProductsFailure) {
        do {
            let generation = try writer.write(snapshot)
            cache.adopt(GenerationFile.reread(snapshot), as: generation)
        } catch {
            failures.note(StoreFailureReason(saving: error))
            throw ProductsFailure.storeFailed(detail: "\(error)")
        }
    }
}

/// What stores made from a config need beside logger and metrics; a resource of the assembly, which may be absent.
public struct StoreEnvironment: Sendable {
    /// How long a closing store waits for its saves.
    public let closingTime: Duration

    /// Creates an environment.
    public init(closingTime: Duration) {
        self.closingTime = closingTime
    }
}

extension JSONFileProductsStore {
    /// `type: json_file` in the `stores:` section.
    public static let spec = ComponentSpec<StoreFamily>(
        type: "json_file",
        summary: "a directory of JSON files, one a generation, written atomically and checked when read",
        fields: [
            .required("directory", .path, "where the files are; made at the first save"),
            .defaulted("keep", .integer, "3", "how many generations stay, the newest included"),
        ],
        example: "{ type: json_file, directory: /var/lib/larder, keep: 3 }",
        plan: { reader in
            let directory = reader.path("directory")
            let keep = reader.integer("keep", in: 1...1000)
            let (name, label) = (reader.name, StoreFamily.metricLabel(reader.path))
            return { assembly in
                let store = JSONFileProductsStore(
                    name: name, directory: directory, keep: keep,
                    movesDamaged: assembly.optionalResource(DryRun.self) == nil, logger: assembly.resource(Logger.self),
                    failures: StoreFailureMeter(
                        store: label, factory: assembly.optionalResource((any MetricsFactory).self)))
                let limit = assembly.optionalResource(StoreEnvironment.self)?.closingTime
                assembly.onShutdown("store \(name)") {
                    await store.close(within: limit ?? JSONFileProductsStore.closingTime)
                }
                return store
            }
        })
}
