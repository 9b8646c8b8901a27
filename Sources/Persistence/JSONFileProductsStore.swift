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
/// one for loads, one for saves, and one that counts.
public final class JSONFileProductsStore: ProductsStore, StoreReporting {
    private let name: String
    private let directory: GenerationDirectory
    private let writer: GenerationWriter
    private let failures: StoreFailureMeter
    private let cache: GenerationCache
    private let counter: GenerationCounter
    private let loads = BlockingQueue("larder store loads")
    private let saves = BlockingQueue("larder store saves")

    /// A store in a directory, which is made at the first save.
    /// - Parameters:
    ///   - name: the node's name in trails and logs.
    ///   - keep: how many generations there are to step back to, the newest included; at least 1.
    ///   - failures: where failures are counted.
    public init(
        name: String = "json_file", directory: String, keep: Int = 3, logger: Logger,
        failures: StoreFailureMeter = StoreFailureMeter()
    ) {
        precondition(keep >= 1, "a store that keeps nothing")
        var logger = logger
        logger[metadataKey: "store"] = "\(name)"
        let directory = GenerationDirectory(path: directory)
        self.name = name
        self.directory = directory
        self.failures = failures
        writer = GenerationWriter(directory: directory, keep: keep, logger: logger)
        cache = GenerationCache(directory: directory, logger: logger, failures: failures)
        counter = GenerationCounter { () throws(FileSystemError) in try directory.list().generations.count }
    }

    /// The newest good generation.
    /// - Throws: `ProductsFailure.notStored` when there is none, and `storeFailed` when the directory or all that is in
    ///   it cannot be read.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let snapshot = try await loads.run { [cache] () throws(ProductsFailure) in try cache.current() }
        return ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: name, outcome: .hit)])
    }

    /// Writes a generation. When this returns, it outlasts a power cut; when it throws, what was there is there still.
    /// - Throws: `ProductsFailure.storeFailed`, with the file and the system's reason.
    public func save(_ snapshot: ProductsSnapshot) async throws {
        try await saves.run { [self] () throws(ProductsFailure) in try write(snapshot) }
    }

    /// How many generations there are, good or not; none where there is no directory.
    public func generationCount() async -> Int? {
        await counter.count()
    }

    private func write(_ snapshot: ProductsSnapshot) throws(ProductsFailure) {
        do {
            let generation = try writer.write(snapshot)
            cache.adopt(GenerationFile.reread(snapshot), as: generation)
        } catch {
            failures.note(StoreFailureReason(saving: error))
            throw ProductsFailure.storeFailed(detail: "\(error)")
        }
    }
}
