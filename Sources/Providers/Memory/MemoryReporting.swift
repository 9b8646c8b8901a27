internal import FoundationEssentials
internal import Concurrency
package import Health
package import Products

extension MemoryProductsProviderDecorator: CataloguePublisher {
    /// The newest catalogue that may be served. A catalogue that is too old counts unless its source fails or is late,
    /// since the next request refreshes it.
    package var servable: ProductsAnswer? {
        let (wall, uptime) = (wallClock.now(), uptime.now)
        return variants.all.compactMap { variant in variant.withLock { Self.kept($0, uptime) } }
            .filter { $0.freshness?.isServable(at: wall) ?? true }
            .max { $0.snapshot.fetchedAt < $1.snapshot.fetchedAt }
            .map { ProductsAnswer(snapshot: $0.snapshot, freshness: $0.freshness) }
    }
}

extension MemoryProductsProviderDecorator: StateReporting {
    /// Reports the kept catalogues, their ages and how they may be served, for all variants together.
    package var report: ProviderReport {
        let (wall, now) = (wallClock.now(), uptime.now)
        let variants = variants.all.map { variant in
            variant.withLock { state in
                (
                    freshness: Self.freshness(state, wall, now), kept: Self.kept(state, now),
                    trouble: state.memory.trouble(uptime: now, isRefreshing: state.refresh != nil)
                )
            }
        }
        let kept = variants.compactMap(\.kept)
        let snapshots = kept.map(\.snapshot)
        let entries =
            [
                LiveStateEntry("freshness", Self.list(variants.map(\.freshness))),
                LiveStateEntry("age_seconds", Self.range(snapshots.map { Int($0.age(at: wall).components.seconds) })),
                LiveStateEntry("products", Self.range(snapshots.map(\.products.count))),
                LiveStateEntry("revision", Self.list(snapshots.map { String($0.revision.prefix(12)) })),
                LiveStateEntry("variants", String(variants.count)),
            ] + troubles.map { LiveStateEntry("source", $0.cause) }
        return ProviderReport(
            entries: entries, memory: MemoryReport(kept: kept, troubles: variants.compactMap(\.trouble)))
    }

    private static func kept(_ variant: CatalogueInForce.State, _ uptime: Duration) -> KeptSnapshot? {
        if let pinned = variant.override?.answer(over: variant.memory, isStale: false), let freshness = pinned.freshness
        {
            return KeptSnapshot(snapshot: pinned.snapshot, freshness: freshness, standing: pinned.standing)
        }
        return variant.memory.snapshot.map { snapshot in
            KeptSnapshot(
                snapshot: snapshot,
                freshness: variant.memory.freshness(snapshot, .hit, isLate: variant.isLate(at: uptime)),
                standing: variant.memory.standing)
        }
    }

    private static func freshness(_ variant: CatalogueInForce.State, _ wall: Date, _ uptime: Duration) -> String {
        guard let freshness = kept(variant, uptime)?.freshness else { return "empty" }
        let state = freshness.state(at: wall)
        return state == .stale && variant.refresh == nil && freshness.isIdle(at: wall) ? "idle" : "\(state)"
    }

    private static func list(_ texts: [String]) -> String {
        texts.isEmpty ? "none" : Set(texts).sorted().joined(separator: "; ")
    }

    private static func range(_ numbers: [Int]) -> String {
        guard let least = numbers.min(), let most = numbers.max() else { return "none" }
        return least == most ? "\(least)" : "\(least) to \(most)"
    }
}

extension MemoryProductsProviderDecorator: TroubleReporting {
    /// The source while it marks its own answers as stale, also behind a pin; the earliest of several variants.
    package var troubles: [Trouble] {
        let stale = variants.all.compactMap { variant in
            variant.withLock(\.memory.staleSource)
        }
        return stale.min { $0.since < $1.since }.map { [$0.trouble] } ?? []
    }
}

extension ProductsAnswer {
    /// Returns the state of the source after this answer. A pinned catalogue or a substitute does not change it.
    func staleSource(after before: StaleSource?) -> StaleSource? {
        guard standing != .pinned else { return before }
        return StaleSource(snapshot, after: before) ?? (failure == nil ? nil : before)
    }
}
