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
/// read again only when the newest is another than before.
public final class JSONFileProductsStore: ProductsStore {
    private let name: String
    private let writer: GenerationWriter
    private let cache: GenerationCache

    /// A store in a directory, which is made at the first save.
    /// - Parameters:
    ///   - name: the node's name in trails and logs.
    ///   - keep: how many generations there are to step back to, the newest included; at least 1.
    public init(name: String = "json_file", directory: String, keep: Int = 3, logger: Logger) {
        precondition(keep >= 1, "a store that keeps nothing")
        var logger = logger
        logger[metadataKey: "store"] = "\(name)"
        let directory = GenerationDirectory(path: directory)
        self.name = name
        writer = GenerationWriter(directory: directory, keep: keep, logger: logger)
        cache = GenerationCache(directory: directory, logger: logger)
    }

    /// The newest good generation.
    /// - Throws: `ProductsFailure.notStored` when there is none, and `storeFailed` when the directory or all that is in
    ///   it cannot be read.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let snapshot = try await withTaskExecutorPreference(globalConcurrentExecutor) { [cache] in
            try await cache.current()
        }
        return ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: name, outcome: .hit)])
    }

    /// Writes a generation. When this returns, it outlasts a power cut; when it throws, what was there is there still.
    /// - Throws: `ProductsFailure.storeFailed`, with the file and the system's reason.
    public func save(_ snapshot: ProductsSnapshot) async throws {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { [self] in
            try await write(snapshot)
        }
    }

    /// Blocks its thread while it waits for the disk and the lock, so it leaves whatever executor it is called on.
    @concurrent
    private func write(_ snapshot: ProductsSnapshot) async throws {
        do {
            let generation = try writer.write(snapshot)
            await cache.adopt(GenerationFile.reread(snapshot), as: generation)
        } catch {
            throw ProductsFailure.storeFailed(detail: "\(error)")
        }
    }
}
