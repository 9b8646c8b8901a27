public import Concurrency
public import Configuration
public import CoreMetrics
internal import FileSystem
internal import FoundationEssentials
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
        /// When the file was last looked at.
        var time: Date
    }

    /// What a look at the disk gives.
    private enum Look: Sendable {
        case unchanged(Last)
        case changed(FileStatus, [UInt8])
    }

    /// How long a reading is waited for where nothing has been read before.
    private static let longestPatience = Duration.seconds(5)

    private let name: String
    private let path: String
    private let decoder: any CatalogueDecoder
    private let wallClock: WallClock
    private let logger: Logger
    private let refusals: RefusalMeter
    private let patience: Duration
    private let disk = BlockingQueue("larder file")
    private let decodings = BlockingQueue("larder file decoding")
    private let last = Mutex<Last?>(nil)

    /// Makes a provider over the file at `path`, which need not exist yet.
    ///
    /// - Parameters:
    ///   - logger: is told of items that were left out, once for each state of the file.
    ///   - metrics: where refusals are recorded; nowhere unless given.
    ///   - patience: how long the disk is waited for where a catalogue was read before.
    public init(
        name: String = "file", path: String, decoder: any CatalogueDecoder = NativeCatalogueFormat(),
        wallClock: WallClock = .system, logger: Logger = Logger(label: "file") { _ in SwiftLogNoOpLogHandler() },
        metrics: (any MetricsFactory)? = nil, patience: Duration = .milliseconds(50)
    ) {
        self.name = name
        self.path = path
        self.patience = patience
        self.decoder = decoder
        self.wallClock = wallClock
        self.logger = logger
        refusals = RefusalMeter(metrics)
    }

    /// The catalogue in the file as it is now, or the one that was read last while the disk does not answer in time.
    ///
    /// The time limit is for the disk alone: a new file is decoded and checked for as long as that takes.
    ///
    /// - Throws: `ProductsFailure.storeFailed` when the file cannot be read, and the decoder's failure or a refusal
    ///   when it is no catalogue, also where another one was read before.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let known = last.withLock { $0 }
        let seen: Result<Look, FileSystemError>? = await disk.run(
            within: known == nil ? Self.longestPatience : patience, waitsBehindAbandoned: known == nil
        ) { [self] in
            Result { () throws(FileSystemError) in try look() }
        }
        guard let seen else {
            if let known { return answer(known, .unchanged) }
            throw ProductsFailure.storeFailed(detail: "\(path) does not answer", answered: false)
        }
        switch seen {
        case .success(.unchanged(let last)):
            return answer(last, .unchanged)
        case .success(.changed(let status, let bytes)):
            return try await decodings.run { [self] () throws(any Error) -> ProductsAnswer in
                try decoded(bytes, status)
            }
        case .failure(let error):
            throw ProductsFailure.storeFailed(detail: "\(error)")
        }
    }

    private func look() throws(FileSystemError) -> Look {
        let status = try Files.status(of: path)
        if let last = confirmed(status) { return .unchanged(last) }
        return .changed(status, try Files.read(path))
    }

    /// What was decoded last, if that was the file in this state, confirmed now.
    private func confirmed(_ status: FileStatus) -> Last? {
        let now = wallClock.now()
        return last.withLock { last in
            guard last?.status == status else { return nil }
            last?.time = now
            return last
        }
    }

    /// Requests that find a new file at the same time come here one after the other, and only the first decodes it.
    private func decoded(_ bytes: [UInt8], _ status: FileStatus) throws -> ProductsAnswer {
        if let last = confirmed(status) { return answer(last, .unchanged) }
        let decoded = try decoder.decode(bytes)
        let catalogue = try refusals.counting { try Catalogue(products: decoded.products) }
        let new = Last(status: status, catalogue: catalogue, time: wallClock.now())
        last.withLock { $0 = new }
        logger.report(skipped: decoded.skipped, by: name)
        return answer(new, .fetched)
    }

    private func answer(_ last: Last, _ outcome: TrailOutcome) -> ProductsAnswer {
        let snapshot = ProductsSnapshot(catalogue: last.catalogue, fetchedAt: last.time, origin: .bundled)
        return ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: name, outcome: outcome)])
    }
}
