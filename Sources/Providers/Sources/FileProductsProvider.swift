public import Configuration
internal import FileSystem
internal import FoundationEssentials
public import Products
internal import Locks

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
                    name: name, path: path, decoder: decoder, wallClock: assembly.resource(WallClock.self))
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
    private let last = Mutex<Last?>(nil)

    /// Makes a provider over the file at `path`, which need not exist yet.
    public init(
        name: String = "file", path: String, decoder: any CatalogueDecoder = NativeCatalogueFormat(),
        wallClock: WallClock = .system
    ) {
        self.name = name
        self.path = path
        self.decoder = decoder
        self.wallClock = wallClock
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
        let catalogue = try Catalogue(products: decoder.products(from: Files.read(path)))
        last.withLock { $0 = Last(status: status, catalogue: catalogue) }
        return answer(catalogue, .fetched)
    }

    private func answer(_ catalogue: Catalogue, _ outcome: TrailOutcome) -> ProductsAnswer {
        let snapshot = ProductsSnapshot(catalogue: catalogue, fetchedAt: wallClock.now(), origin: .bundled)
        return ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: name, outcome: outcome)])
    }
}
