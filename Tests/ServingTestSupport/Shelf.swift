internal import Concurrency
package import Configuration
internal import FoundationEssentials
internal import Persistence
package import Products
internal import Providers
package import Wiring

/// A store with a history in memory, and the provider above it, which fills it and refuses catalogues.
package final class Shelf: GraphStore, ProductsHistory, QuarantiningProvider {
    private struct State {
        var upstream: Catalogue?
        var generations: [Catalogue] = []
        var pin: CataloguePin?
        var quarantined: QuarantinedCatalogue?
        var accepted: [String] = []
        var asked = 0
        var isPublishing = false
        var thinned: Set<Int> = []
        var listings = 0
    }

    package let isStore: Bool
    private let state = Mutex(State())

    package init(isStore: Bool, isEmpty: Bool) {
        self.isStore = isStore
        state.withLock { $0.isPublishing = isEmpty }
    }

    package var asked: Int { state.withLock(\.asked) }
    /// How often the generations were listed.
    package var listings: Int { state.withLock(\.listings) }

    /// Removes a generation.
    package func thin(_ generation: Int) {
        state.withLock { _ = $0.thinned.insert(generation) }
    }

    package var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }

    package func pinned() async -> ProductsAnswer? {
        state.withLock { state in
            guard let pin = state.pin else { return nil }
            let now = Date(timeIntervalSince1970: 1_800_000_000)
            let pinned = ProductsSnapshot(
                catalogue: state.generations[pin.generation - 1], fetchedAt: now, origin: .store)
            return ProductsAnswer(snapshot: pinned, trail: [TrailStep(node: "shelf", outcome: .pinned)])
        }
    }

    package func hasNewer(than mark: CatalogueMark) -> Bool { false }

    /// From now on the upstream has these products; fails without any.
    package func publish(_ names: [String]?, sales: Int = 0) throws {
        let catalogue = try names.map { try makeCatalogue($0, sales: sales) }
        state.withLock { ($0.upstream, $0.isPublishing) = (catalogue, true) }
    }

    /// Keeps a refused catalogue.
    package func quarantine(_ names: [String]) throws {
        let catalogue = try makeCatalogue(names)
        state.withLock { state in
            state.quarantined = QuarantinedCatalogue(
                catalogue, replacing: state.generations.last, failure: .refused(.empty(count: 0, minimum: 1)),
                since: Date(timeIntervalSince1970: 1_800_000_000), withheldUntil: nil)
        }
    }

    /// The start of the service asks before the first catalogue is published, and gets one that is not kept.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try state.withLock { state in
            let now = Date(timeIntervalSince1970: 1_800_000_000)
            guard state.isPublishing else { return makeAnswer(try makeCatalogue(["Start"]), fetchedAt: now) }
            state.asked += 1
            if let upstream = state.upstream, upstream.revision != state.generations.last?.revision {
                state.generations.append(upstream)
            }
            guard let upstream = state.upstream else { throw ProductsFailure.upstreamStatus(503, retryAfter: nil) }
            return makeAnswer(upstream, fetchedAt: now)
        }
    }

    package func save(_ snapshot: ProductsSnapshot) async throws {}
    package func saveLater(_ snapshot: ProductsSnapshot) {}
    package func generationCount() async -> Int? { state.withLock(\.generations.count) }
    package var savingTime: Duration { .zero }

    package func history() async throws(ProductsFailure) -> [HistoryEntry] {
        let (generations, thinned) = state.withLock { state in
            state.listings += 1
            return (state.generations, state.thinned)
        }
        return generations.enumerated().reversed().filter { !thinned.contains($0.offset + 1) }.map { index, catalogue in
            HistoryEntry(
                generation: index + 1, revision: catalogue.revision,
                fetchedAt: Date(timeIntervalSince1970: 1_800_000_000), origin: .network, count: catalogue.count,
                size: catalogue.encoded.count)
        }
    }

    package func snapshot(of target: HistoryTarget) async throws(ProductsFailure) -> ProductsSnapshot {
        let found = try await entry(target)
        let catalogue = state.withLock { $0.generations[found.generation - 1] }
        return ProductsSnapshot(catalogue: catalogue, fetchedAt: found.fetchedAt, origin: .store)
    }

    private func entry(_ target: HistoryTarget) async throws(ProductsFailure) -> HistoryEntry {
        let entries = try await history()
        let found =
            switch target {
            case .newest: entries.first
            case .generation(let number): entries.first { $0.generation == number }
            case .revision(let digits): entries.first { $0.revision.hasPrefix(digits) }
            }
        guard let found else { throw .notStored }
        return found
    }

    package func currentPin() async throws(ProductsFailure) -> CataloguePin? { state.withLock(\.pin) }

    package func pin(_ target: HistoryTarget, by order: OperatorOrder) async throws(ProductsFailure) -> CataloguePin {
        let found = try await entry(target)
        let pin = CataloguePin(generation: found.generation, revision: found.revision, order: order)
        state.withLock { $0.pin = pin }
        return pin
    }

    package func unpin() async throws(ProductsFailure) -> CataloguePin? { state.withLock { $0.pin.take() } }

    package var quarantined: QuarantinedCatalogue? { state.withLock(\.quarantined) }

    package func accept(revision: String) -> Bool {
        state.withLock { state in
            guard let held = state.quarantined, held.catalogue.revision == revision else { return false }
            state.upstream = held.catalogue
            state.quarantined = nil
            return true
        }
    }

    package var providerSpec: ComponentSpec<ProviderFamily> {
        ComponentSpec<ProviderFamily>(
            type: "shelved", summary: "a scripted upstream",
            fields: [.optional("store", .component(StoreFamily.self), "where it keeps products")],
            example: "{ type: shelved }"
        ) { reader in
            let store = reader.optionalComponent("store", StoreFamily.self)
            return { [self] assembly in
                _ = try store?.instantiate(in: assembly)
                return self
            }
        }
    }

    package func caching(_ node: CachingNode) -> any ProductsProvider { node.saving(to: self) }

    package var storeSpec: ComponentSpec<StoreFamily> {
        ComponentSpec<StoreFamily>(type: "shelf", summary: "a scripted store", fields: [], example: "{ type: shelf }") {
            _ in { [self] _ in self }
        }
    }
}
