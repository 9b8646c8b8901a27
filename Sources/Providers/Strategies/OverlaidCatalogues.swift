internal import Concurrency
internal import Logging
internal import Products

/// The composed catalogues of an `overlay`.
final class OverlaidCatalogues: Sendable {
    /// The inputs of a composed catalogue, equal by their revisions.
    private struct Layers: Hashable, Sendable {
        let revision: String
        let entries: Catalogue?
        let treatment: MemberOverlay.Treatment
        weak let base: Catalogue?

        init(_ base: Catalogue, under entries: Catalogue?, _ treatment: MemberOverlay.Treatment) {
            (revision, self.entries, self.treatment) = (base.revision, entries, treatment)
            self.base = base
        }

        private var identity: [String?] { [revision, entries?.revision, "\(treatment)"] }

        static func == (one: Layers, other: Layers) -> Bool {
            one.revision == other.revision && one.entries?.revision == other.entries?.revision
                && one.treatment == other.treatment
        }

        func hash(into hasher: inout Hasher) { hasher.combine(identity) }
    }

    private let provider: String
    private let overlay: MemberOverlay
    let division: VariantKey
    private let logger: Logger
    private let compositions = ComposedCatalogues<Layers>()
    /// The catalogue that was composed last in each variant.
    private let last = Mutex<[VariantKey.Key: MemberOverlay.Laid]>([:])

    init(provider: String, overlay: MemberOverlay, division: VariantKey, logger: Logger) {
        (self.provider, self.overlay, self.division, self.logger) = (provider, overlay, division, logger)
    }

    /// Returns the composed catalogue. Requests that come while it is composed wait for it.
    func catalogue(
        of base: Catalogue, under entries: Catalogue?, _ treatment: MemberOverlay.Treatment, for key: VariantKey.Key
    ) async throws -> Catalogue {
        if entries == nil, treatment != .hidden { return base }
        return try await catalogue(base, entries, treatment, key)
    }

    /// Returns the composed catalogue if it is there.
    func composed(
        of base: Catalogue, under entries: Catalogue, _ treatment: MemberOverlay.Treatment, for key: VariantKey.Key
    ) -> Catalogue? {
        compositions.composed(of: Layers(base, under: entries, treatment), for: key)
    }

    /// Composes what will be served once the catalogue below is replaced, or the entries are by fresh ones.
    func derived(from next: CatalogueSignal.Change) async -> [CatalogueSignal.Change] {
        var derived: [CatalogueSignal.Change] = []
        for (key, before) in compositions.inForce {
            let (layers, new) = (before.layers, next.answer.snapshot.catalogue)
            let composed: Catalogue?
            if layers.revision == next.replaced {
                composed = try? await catalogue(new, layers.entries, layers.treatment, key, isAhead: true)
            } else if layers.entries?.revision == next.replaced, let base = layers.base {
                composed = try? await catalogue(base, new, .laid, key, isAhead: true)
            } else {
                continue
            }
            guard let composed else { continue }
            derived.append((ProductsAnswer(snapshot: next.answer.snapshot.with(composed)), before.catalogue.revision))
        }
        return derived
    }

    private func catalogue(
        _ base: Catalogue, _ entries: Catalogue?, _ treatment: MemberOverlay.Treatment, _ key: VariantKey.Key,
        isAhead: Bool = false
    ) async throws -> Catalogue {
        let layers = Layers(base, under: entries, treatment)
        return try await compositions.catalogue(of: layers, for: key, isAhead: isAhead) { [self] before in
            let last = self.last.withLock { $0[key] }
            var earlier: (entries: Catalogue, laid: MemberOverlay.Laid)?
            if let before, before.layers.revision == layers.revision, before.layers.treatment == treatment,
                let entries = before.layers.entries, let last, last.catalogue === before.catalogue
            {
                earlier = (entries, last)
            }
            let laid = try overlay.laid(entries, over: base, as: treatment, after: earlier)
            self.last.withLock { $0[key] = laid }
            report(laid, after: last)
            return laid.catalogue
        }.catalogue
    }

    /// Logs the numbers of entries that were left out when they change.
    private func report(_ laid: MemberOverlay.Laid, after last: MemberOverlay.Laid?) {
        if laid.unfit.count != last?.unfit.count ?? 0 {
            logger.warning(
                "entries do not fit the kinds of their products, which are served unchanged",
                metadata: ["provider": "\(provider)", "items": "\(laid.unfit.count)"])
        }
        if laid.isUnmatched, last?.isUnmatched != true {
            logger.warning("no entry matches a product", metadata: ["provider": "\(provider)"])
        }
        if laid.ambiguous != last?.ambiguous ?? 0 {
            logger.warning(
                "entries share their key with others and are left out; their products are served unchanged",
                metadata: ["provider": "\(provider)", "items": "\(laid.ambiguous)"])
        }
    }
}
