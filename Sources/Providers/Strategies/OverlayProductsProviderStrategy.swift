package import Concurrency
internal import FoundationEssentials
package import Health
package import Logging
package import Products

/// Lays members of products from a second, quicker source over a catalogue, by product id.
///
/// The catalogue is required: its failure is thrown. The second source never fails an answer: entries that are too old
/// are treated as ``OverlayStaleness`` says, and without entries the catalogue is served unchanged. The catalogue is
/// composed again only when either has changed, off the event loops and once for all requests.
///
/// Its answers have no lease: both sides are asked for every request, which is cheap if they keep answers.
package final class OverlayProductsProviderStrategy: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let source: OverlaySource
    private let whenStale: OverlayStaleness
    private let catalogues: OverlaidCatalogues

    /// Lays members of the entries that `overlay` keeps over the catalogue of `upstream`.
    ///
    /// - Parameters:
    ///   - overlay: keeps the answers of the second source, by ``FreshnessPolicy/init(overlayTTL:holdOff:maxWait:)``;
    ///     no other provider uses it.
    ///   - store: has the entries from before a restart, which are stale.
    ///   - variations: the dependences of both providers' answers on request headers.
    ///   - logger: takes the number of entries that do not fit their products.
    package init(
        name: String = "overlay", upstream: any ProductsProvider, overlay: MemoryProductsProviderDecorator,
        store: (any ProductsProvider)? = nil, members: some Sequence<String>,
        whenStale: OverlayStaleness = .serve, variations: [RequestVariation] = [], wallClock: WallClock = .system,
        logger: Logger = Logger(label: "overlay") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.name = name
        self.upstream = upstream
        source = OverlaySource(overlay, store: store, wallClock: wallClock)
        self.whenStale = whenStale
        catalogues = OverlaidCatalogues(
            provider: name, overlay: MemberOverlay(members), division: VariantKey(variations), logger: logger)
    }

    /// Returns the catalogue with the members laid over its products.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: request)
        let entries = await source.entries(for: request)
        let treatment = whenStale.treatment(of: entries)
        let catalogue = try await catalogues.catalogue(
            of: answer.snapshot.catalogue, under: entries?.catalogue, treatment, for: request)
        let step = TrailStep(node: name, outcome: entries.map { $0.isStale ? .stale : .hit } ?? .skipped)
        return ProductsAnswer(
            snapshot: answer.snapshot.with(catalogue),
            trail: answer.trail + [step], freshness: answer.freshness.map { $0.under(entries, whenStale) },
            mark: answer.mark, standing: answer.standing)
    }
}

extension OverlayProductsProviderStrategy: StateReporting {
    /// Reports the entries: whether they are fresh, their age and number.
    package var report: ProviderReport { source.report }
}

extension OverlayProductsProviderStrategy: TroubleReporting {
    /// The second source while it marks its own entries as stale.
    package var troubles: [Trouble] { source.troubles }
}

/// The treatment of stale entries.
package enum OverlayStaleness: String, Sendable, CaseIterable {
    /// They are laid over the products like fresh ones.
    case serve
    /// They are laid over the products, and each product lists the members that are stale.
    case mark
    /// The members are removed from the products, except required ones, which keep the catalogue's values.
    case hide

    /// - Parameter entries: nil if none were received yet.
    func treatment(of entries: OverlayEntries?) -> MemberOverlay.Treatment {
        guard entries?.isStale ?? true else { return .laid }
        return switch self {
        case .serve: .laid
        case .mark: .marked
        case .hide: .hidden
        }
    }
}

extension Freshness {
    /// The freshness of the catalogue under entries. Caches must not keep what would be marked or hidden later.
    fileprivate func under(_ entries: OverlayEntries?, _ whenStale: OverlayStaleness) -> Freshness {
        guard let entries else { return self }
        return Freshness(
            verdict: verdict, isOffline: isOffline, freshUntil: freshUntil, servableUntil: servableUntil,
            staleWhileRevalidate: whenStale == .serve ? staleWhileRevalidate : .zero,
            staleIfError: whenStale == .serve ? staleIfError : .zero, mayIdle: mayIdle, isLate: isLate,
            membersFreshUntil: min(entries.freshUntil, membersFreshUntil ?? .distantFuture),
            isPinned: isPinned)
    }
}

/// The last composed catalogue of an `overlay`, for each variant of the requests.
private final class OverlaidCatalogues: Sendable {
    /// The inputs of a composed catalogue.
    private struct Layers: Equatable {
        let base: String
        let entries: String?
        let treatment: MemberOverlay.Treatment
    }

    private struct Last {
        let layers: Layers
        let catalogue: Task<Catalogue, any Error>
    }

    private let provider: String
    private let overlay: MemberOverlay
    private let division: VariantKey
    private let logger: Logger
    private let last = Mutex<[VariantKey.Key: Last]>([:])
    /// The number of entries that did not fit, when it was logged last.
    private let unfit = Mutex<[VariantKey.Key: Int]>([:])

    init(provider: String, overlay: MemberOverlay, division: VariantKey, logger: Logger) {
        (self.provider, self.overlay, self.division, self.logger) = (provider, overlay, division, logger)
    }

    /// Returns the composed catalogue. Requests that come while it is composed wait for it.
    func catalogue(
        of base: Catalogue, under entries: Catalogue?, _ treatment: MemberOverlay.Treatment,
        for request: ProductsRequest
    ) async throws -> Catalogue {
        if entries == nil, treatment != .hidden { return base }
        let key = division.key(of: request)
        let layers = Layers(base: base.revision, entries: entries?.revision, treatment: treatment)
        let (current, replaced) = last.withLock { last -> (Last, Last?) in
            if let same = last[key], same.layers == layers { return (same, nil) }
            let task = Task.detached(executorPreference: BackgroundExecutor.shared) { [self] in
                let (catalogue, unfit) = try overlay.laid(entries, over: base, as: treatment)
                record(unfit: unfit, for: key)
                return catalogue
            }
            let new = Last(layers: layers, catalogue: task)
            return (new, last.updateValue(new, forKey: key))
        }
        // The replaced catalogue is released outside the lock.
        _ = replaced
        return try await current.catalogue.value
    }

    /// Logs the number of entries that do not fit their products when it changes.
    private func record(unfit count: Int, for key: VariantKey.Key) {
        guard unfit.withLock({ $0.updateValue(count, forKey: key) ?? 0 }) != count else { return }
        logger.warning(
            "entries do not fit the kinds of their products, which are served unchanged",
            metadata: ["provider": "\(provider)", "items": "\(count)"])
    }
}
