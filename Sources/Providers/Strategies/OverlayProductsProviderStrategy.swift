package import Concurrency
internal import FoundationEssentials
package import Health
package import Logging
package import Products

/// Lays members of products from a second, quicker source over a catalogue, by product id or another key.
///
/// The catalogue is required: its failure is thrown. The second source never fails an answer: entries that are too old
/// are treated as ``OverlayStaleness`` says, and without entries the catalogue is served unchanged. The catalogue is
/// composed again only when either has changed, off the event loops and once for all requests: before the change is
/// served if the time allows.
///
/// If both sides have a lease, so have its answers, as long as the entries stay fresh or stale.
package final class OverlayProductsProviderStrategy: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let source: OverlaySource
    private let whenStale: OverlayStaleness
    private let wallClock: WallClock
    private let catalogues: OverlaidCatalogues
    private let publications = JoinedPublications()

    /// Lays members of the entries that `overlay` keeps over the catalogue of `upstream`.
    ///
    /// - Parameters:
    ///   - overlay: keeps the answers of the second source, by ``FreshnessPolicy/init(overlayTTL:holdOff:maxWait:)``;
    ///     no other provider uses it.
    ///   - store: has the entries from before a restart, which are stale.
    ///   - key: the members of product and entry by which these are joined.
    ///   - variations: the dependences of both providers' answers on request headers.
    ///   - signal: signals the catalogues and entries that come into force.
    ///   - logger: takes the number of entries that do not fit their products, or share their key.
    package init(
        name: String = "overlay", upstream: any ProductsProvider, overlay: MemoryProductsProviderDecorator,
        store: (any ProductsProvider)? = nil, members: some Sequence<String>, key: MemberOverlay.Key = .id,
        whenStale: OverlayStaleness = .serve, variations: [RequestVariation] = [], wallClock: WallClock = .system,
        signal: CatalogueSignal = CatalogueSignal(),
        logger: Logger = Logger(label: "overlay") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.name = name
        self.upstream = upstream
        source = OverlaySource(overlay, store: store, wallClock: wallClock)
        self.whenStale = whenStale
        self.wallClock = wallClock
        catalogues = OverlaidCatalogues(
            provider: name, overlay: MemberOverlay(members, by: key), division: VariantKey(variations), logger: logger)
        signal.subscribe(catalogues) { await $0.derived(from: $1) }
    }

    /// Returns the catalogue with the members laid over its products.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: request)
        let entries = await source.entries(for: request)
        let key = catalogues.division.key(of: request)
        let catalogue = try await catalogues.catalogue(
            of: answer.snapshot.catalogue, under: entries?.catalogue, whenStale.treatment(of: entries), for: key)
        let overlaid = self.overlaid(answer, entries, catalogue)
        guard let base = answer.lease, let beside = entries?.lease else { return overlaid }
        return overlaid.leasing(lease(joining: [base, beside], for: key))
    }

    private func overlaid(
        _ answer: ProductsAnswer, _ entries: OverlayEntries?, _ catalogue: Catalogue
    ) -> ProductsAnswer {
        let step = TrailStep(node: name, outcome: entries.map { $0.isStale ? .stale : .hit } ?? .skipped)
        return ProductsAnswer(
            snapshot: answer.snapshot.with(catalogue),
            trail: answer.trail + [step], freshness: answer.freshness.map { $0.under(entries, whenStale) },
            mark: answer.mark, standing: answer.standing)
    }

    /// Joins the leases of the catalogue and of the entries; nil if one of them does not hold, or the catalogue under the
    /// entries has not been composed.
    private func lease(joining leases: [ProductsLease], for key: VariantKey.Key) -> ProductsLease? {
        let now = wallClock.now()
        let parts = leases.compactMap { $0.part(at: now) }
        guard parts.count == 2, let entries = OverlayEntries(parts[1].answer, at: now),
            let catalogue = catalogues.composed(
                of: parts[0].answer.snapshot.catalogue, under: entries.catalogue, whenStale.treatment(of: entries),
                for: key)
        else { return nil }
        let publication = publications.publication(of: parts, [parts[0].isStale, entries.isStale]) {
            CataloguePublication(
                joining: parts, as: overlaid(parts[0].answer, entries, catalogue), isIndifferent: [false, true]
            ) { [end = entries.freshUntil, isStale = entries.isStale] moment in (moment > end) == isStale }
        }
        return ProductsLease(joining: parts, on: publication) { [weak self] in self?.lease(joining: $0, for: key) }
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
