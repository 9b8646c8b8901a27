public import Configuration
public import CoreMetrics
internal import FileSystem
internal import FoundationEssentials
internal import Locks
public import Logging
public import Products

/// A JSON file, read again when it changes: the bundled last resort.
///
/// A snapshot's time is the time of the reading, not the file's own: what counts for freshness is when its source was
/// last looked at.
public final class FileProductsProvider: ProductsProvider {
    /// `type: file` in the `providers:` section.
    public static let spec = ComponentSpec<ProviderFamily>(
        type: "file",
        summary: "a JSON file, read again when it changes: the bundled last resort",
        fields: [
            .required("path", .path, "the file"),
            .optional("decode", .object(CatalogueMapping.fields), "turns somebody else's JSON into products"),
        ],
        example: "{ type: file, path: /etc/larder/bundled.json }",
        plan: { reader in
            let path = reader.path("path")
            let decoder = CatalogueFormats.decoder(reader, "decode")
            let name = reader.name
            return { assembly in
                FileProductsProvider(
                    name: name, path: path, decoder: decoder, wallClock: assembly.resource(WallClock.self),
                    logger: assembly.resource(Logger.self),
                    metrics: assembly.optionalResource((any MetricsFactory).self))
            }
        })

    private struct Last: Sendable {
        var status: FileStatus
        var catalogue: Catalogue
    }

    private let name: String
    private let path: String
    private let decoder: any CatalogueDecoder
    private let wallClock: WallClock
    private let logger: Logger
    private let refusals: RefusalMeter
    private let last = Mutex<Last?>(nil)

    /// Makes a provider over the file at `path`, which need not exist yet.
    ///
    /// - Parameters:
    ///   - logger: is told of items that were left out, once for each state of the file.
    ///   - metrics: where refusals are recorded; nowhere unless given.
    public init(
        name: String = "file", path: String, decoder: any CatalogueDecoder = NativeCatalogueFormat(),
        wallClock: WallClock = .system, logger: Logger = Logger(label: "file") { _ in SwiftLogNoOpLogHandler() },
        metrics: (any MetricsFactory)? = nil
    ) {
        self.name = name
        self.path = path
        self.decoder = decoder
        self.wallClock = wallClock
        self.logger = logger
        refusals = RefusalMeter(metrics)
    }

    /// The catalogue in the file as it is now; `storeFailed` when the file cannot be read.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await offLoop { [self] in
            do {
                return try read()
            } catch let error as FileSystemError {
                throw ProductsFailure.storeFailed(detail: "\(error)")
            }
        }
    }

    private func read() throws -> ProductsAnswer {
        let status = try Files.status(of: path)
        if let known = last.withLock({ $0 }), known.status == status { return answer(known.catalogue, .unchanged) }
        let decoded = try decoder.decode(Files.read(path))
        let catalogue = try refusals.counting { try Catalogue(products: decoded.products) }
        let isNew = last.withLock { last in
            defer { last = Last(status: status, catalogue: catalogue) }
            return last?.status != status
        }
        if isNew { logger.report(skipped: decoded.skipped, by: name) }
        return answer(catalogue, .fetched)
    }

    private func answer(_ catalogue: Catalogue, _ outcome: TrailOutcome) -> ProductsAnswer {
        let snapshot = ProductsSnapshot(catalogue: catalogue, fetchedAt: wallClock.now(), origin: .bundled)
        return ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: name, outcome: outcome)])
    }
}
