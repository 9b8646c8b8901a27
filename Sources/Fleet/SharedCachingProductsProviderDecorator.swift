internal import Concurrency
package import Products

/// A `caching` whose store is shared: one refresh of its upstream serves all replicas of a fleet.
///
/// A request gets the newest catalogue of the fleet if it has an older one, or if the newest was confirmed less than a
/// second ago: without a `memory` above, not every request may take the turn. Otherwise one replica asks its upstream
/// for all. Only confirmed catalogues are shared; others are passed on. Until the fleet has a catalogue, another
/// configuration's, or the one from before the start, substitutes for a failure.
///
/// Answers pass no lease on: the fleet may have a newer catalogue at any time.
package final class SharedCachingProductsProviderDecorator: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let catalogue: FleetCatalogue
    private let judge: (any CatalogueJudge)?
    /// The sequence of the last answer to a request without a mark of this fleet.
    private let last = Mutex(0)

    /// - Parameters:
    ///   - catalogue: from ``SharedProductsStore/catalogue(fingerprint:)``.
    ///   - judge: judges the catalogues of other replicas while this runs.
    package init(
        name: String = "caching", upstream: any ProductsProvider, catalogue: FleetCatalogue,
        judge: (any CatalogueJudge)? = nil
    ) {
        (self.name, self.upstream, self.catalogue, self.judge) = (name, upstream, catalogue, judge)
    }

    /// Takes part in the fleet until it is cancelled: the background job of the component.
    package func run() async { await catalogue.run(judge: judge) }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let given = catalogue.given
        // An operator's order always asks, and joins a refresh of another replica that ends after it.
        if request.order == nil, let given, isNewer(given, for: request) || catalogue.isRecent(given) {
            return answer(given.snapshot, .hit, given)
        }
        do throws(ProductsFailure) {
            return try await refreshed(request, after: given?.sequence ?? 0)
        } catch {
            guard error != .cancelled, let former = catalogue.former else { throw error }
            return answer(former, .chose(role: "former")).preceded(by: [TrailStep(node: name, outcome: .failed(error))])
        }
    }

    /// Whether the caller does not have the catalogue. Requests without a mark, such as those of a merge, get each
    /// catalogue once; the next one asks for another.
    private func isNewer(_ given: FleetCatalogue.LoadedCatalogue, for request: ProductsRequest) -> Bool {
        if request.known == .nothing { return true }
        if let known = request.known.number(of: catalogue.number), known > 0 { return given.sequence > known }
        return last.withLock { last in
            defer { last = max(last, given.sequence) }
            return given.sequence > last
        }
    }

    private func refreshed(
        _ request: ProductsRequest, after known: Int
    ) async throws(ProductsFailure) -> ProductsAnswer {
        let asked: FleetCatalogue.AskResult
        do {
            asked = try await catalogue.newest(for: request, after: known) { [upstream] in
                try await upstream.products(for: $0)
            }
        } catch let failure as ProductsFailure {
            throw failure
        } catch {
            throw error is CancellationError ? .cancelled : .malformed(detail: "\(error)")
        }
        switch asked {
        case .uncommitted(let answer): return answer.withoutLease.adding(TrailStep(node: name, outcome: .skipped))
        case .pinned(let snapshot): return answer(snapshot, .pinned)
        case .served(let served):
            last.withLock { $0 = max($0, served.sequence) }
            guard served.sequence > known, !served.trail.isEmpty else { return answer(served.snapshot, .hit, served) }
            return ProductsAnswer(snapshot: served.snapshot, trail: served.trail, mark: mark(served))
                .adding(TrailStep(node: name, outcome: .saving))
        }
    }

    private func answer(
        _ snapshot: ProductsSnapshot, _ outcome: TrailOutcome, _ served: FleetCatalogue.LoadedCatalogue? = nil
    ) -> ProductsAnswer {
        ProductsAnswer(
            snapshot: snapshot, trail: [TrailStep(node: name, outcome: outcome)], mark: served.map(mark) ?? .none)
    }

    private func mark(_ served: FleetCatalogue.LoadedCatalogue) -> CatalogueMark {
        CatalogueMark(served.sequence, of: catalogue.number)
    }
}

/// Offers the catalogues of its own configuration, also while a reload tries another one.
extension SharedCachingProductsProviderDecorator: CatalogueOffering {
    package func pinned() async -> ProductsAnswer? { catalogue.pinned(by: name) }
    package func hasNewer(than mark: CatalogueMark) -> Bool { catalogue.hasNewer(than: mark) }
}
