internal import Concurrency
package import Health
package import Logging
package import Products

/// Shares one refresh of its upstream, and what it brings, with all replicas of a fleet: a `caching` whose store is shared.
///
/// A catalogue that another replica has committed since this one last answered is given at once. One that is younger than
/// a second is given again: without a `memory` above, requests must not take the turn each. Otherwise one replica asks
/// its upstream, for all. Substitutes for a failure, unchecked and pinned catalogues are passed on and not shared. Until
/// the fleet has a catalogue, that of another configuration, or from before the start, substitutes for a failure.
///
/// While an operator has a catalogue pinned for the fleet, every request gets it at once. The upstream is asked behind the
/// answer, in turns as ever: what it brings is the history from which the pin is taken off.
///
/// Answers pass no lease on: the fleet may have a newer catalogue at any time.
package final class SharedCachingProductsProviderDecorator: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let catalogue: FleetCatalogue
    private let judge: (any CatalogueJudge)?
    private let behind: UpstreamBehindPin
    /// The place of the last answer in what the fleet has given.
    private let last = Mutex(0)

    /// - Parameters:
    ///   - catalogue: from ``RedisProductsStore/catalogue(fingerprint:)``.
    ///   - judge: decides about the catalogues of other replicas as long as this is run.
    package init(
        name: String = "caching", upstream: any ProductsProvider, catalogue: FleetCatalogue,
        judge: (any CatalogueJudge)? = nil, logger: Logger? = nil
    ) {
        (self.name, self.upstream, self.catalogue) = (name, upstream, catalogue)
        self.judge = judge
        var logger = logger
        logger?[metadataKey: "node"] = "\(name)"
        behind = UpstreamBehindPin(TroubleBook(wallClock: catalogue.wallClock, logger: logger))
    }

    /// Takes part in the fleet until it is cancelled: the background job of the component.
    package func run() async { await catalogue.run(judge: judge) }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        // A fleet that has another catalogue or pin is no reason to ask the upstream.
        if RefreshOrder.current?.isNews == true, let pinned = catalogue.pinned { return answer(pinned, .pinned) }
        let pinned = await behind.answer(
            to: request, pinned: { catalogue.pinned.map { answer($0, .pinned) } },
            ask: { [self] in try await askBehind($0) })
        if let pinned { return pinned }
        let held = catalogue.given
        if let held, suffices(held, for: RefreshOrder.current) { return answer(held.snapshot, .hit) }
        do throws(ProductsFailure) {
            return try await refreshed(request, after: held?.sequence ?? 0)
        } catch {
            guard error != .cancelled, let former = catalogue.former else { throw error }
            return answer(former, .chose(role: "former")).preceded(by: [TrailStep(node: name, outcome: .failed(error))])
        }
    }

    /// Whether the upstream need not be asked. An operator's order asks the fleet in any case, and joins a refresh of another
    /// replica that ends after it.
    private func suffices(_ held: FleetCatalogue.Held, for order: RefreshOrder?) -> Bool {
        let isNews = isNews(held)
        return order.map(\.isNews) ?? (isNews || catalogue.isRecent(held))
    }

    private func refreshed(
        _ request: ProductsRequest, after known: Int
    ) async throws(ProductsFailure) -> ProductsAnswer {
        let asked: FleetCatalogue.Asked
        do {
            asked = try await catalogue.newest(for: request, after: known) { [upstream] in
                try await upstream.products(for: $0)
            }
        } catch let failure as ProductsFailure {
            throw failure
        } catch {
            throw error is CancellationError ? .cancelled : .malformed(detail: "\(error)")
        }
        // An operator may have pinned another one meanwhile.
        if let pinned = catalogue.pinned { return answer(pinned, .pinned) }
        switch asked {
        case .uncommitted(let answer): return answer.withoutLease.adding(TrailStep(node: name, outcome: .skipped))
        case .held(let held):
            guard isNews(held), !held.trail.isEmpty else { return answer(held.snapshot, .hit) }
            return ProductsAnswer(snapshot: held.snapshot, trail: held.trail)
                .adding(TrailStep(node: name, outcome: .saving))
        }
    }

    private func answer(_ snapshot: ProductsSnapshot, _ outcome: TrailOutcome) -> ProductsAnswer {
        ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: name, outcome: outcome)])
    }

    /// Whether the catalogue is newer than the one of the last answer, which it is from now on.
    private func isNews(_ held: FleetCatalogue.Held) -> Bool {
        last.withLock { last in
            defer { last = max(last, held.sequence) }
            return held.sequence > last
        }
    }

    /// Asks for the history, from which the pin is taken off.
    private func askBehind(_ request: ProductsRequest) async throws -> ProductsFailure? {
        let asked = try await catalogue.newest(for: request) { [upstream] in try await upstream.products(for: $0) }
        switch asked {
        case .uncommitted(let answer): return answer.failure ?? answer.hiddenFailure
        case .held(let held):
            if !held.isPinned { behind.record(held.snapshot) }
            return nil
        }
    }
}

extension SharedCachingProductsProviderDecorator: TroubleReporting {
    /// The failure of the upstream behind a pin.
    package var troubles: [Trouble] { behind.troubles }
}
