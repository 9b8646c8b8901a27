internal import Analytics
package import Concurrency
internal import Fleet
internal import FoundationEssentials
internal import Health
internal import Networking
internal import Persistence
internal import Products
internal import Prometheus
internal import Providers
package import Serving

/// Reads the metrics of one graph's components at a scrape. Their series end with the graph.
package struct GraphCollector: MetricsCollector {
    let components: GraphComponents
    let controls: GraphControls
    let readiness: ReadinessTracker
    let responses: ResponseCache
    let wallClock: WallClock

    package init(
        components: GraphComponents, controls: GraphControls, readiness: ReadinessTracker, responses: ResponseCache,
        wallClock: WallClock
    ) {
        self.components = components
        self.controls = controls
        self.readiness = readiness
        self.responses = responses
        self.wallClock = wallClock
    }

    func families() async -> [MetricFamily] {
        let served = try? readiness.catalogue.get()
        let reports = components.reports
        let memory = responses.memory
        let stores = await controls.state().stores
        return snapshots(reports, served)
            + [
                MetricFamily(.ready, .count(served != nil ? 1 : 0)),
                MetricFamily(
                    .memory, "kind",
                    [
                        ("catalogues", .count(memory.catalogues)), ("encodings", .count(memory.encodings)),
                        ("answers", .count(memory.responses + memory.differences)), ("indexes", .count(memory.indexes)),
                    ]),
                breakers(reports),
                MetricFamily(
                    .reachable, "monitor",
                    components.monitors.map { ($0.label, .count($0.component.isReachable ? 1 : 0)) }),
                MetricFamily(
                    .storeSaving, "store",
                    components.stores.map { ($0.label, .number($0.component.savingTime / .seconds(1))) }),
                MetricFamily(.storeGenerations, "store", await generations),
                MetricFamily(
                    .generation, "store", stores.compactMap { store in store.newest.map { (store.label, .count($0)) } }),
                MetricFamily(.pinned, "store", stores.map { ($0.label, .count($0.pin == nil ? 0 : 1)) }),
                MetricFamily(
                    .pinnedSince, "store",
                    stores.compactMap { store in store.pin.map { (store.label, .timestamp($0.order.at)) } }),
                MetricFamily(.troubleSince, troubles),
                MetricFamily(
                    .quarantined, "provider",
                    controls.gateStates.map { ($0.label, .count($0.isQuarantined ? 1 : 0)) }),
            ] + shared + analytics
    }

    /// The beginning of the earliest trouble of each kind in each part.
    private var troubles: [MetricSeries] {
        var seen: Set<[String]> = []
        return components.troubles(failing: readiness.failing).sorted { $0.since < $1.since }
            .filter { seen.insert([$0.kind.rawValue, $0.part]).inserted }
            .map { MetricSeries(["kind": $0.kind.rawValue, "part": $0.part], .timestamp($0.since)) }
    }

    private var shared: [MetricFamily] {
        let stores = components.sharedStores
        func family(_ description: MetricDescription, _ value: (FleetReport) -> MetricValue) -> MetricFamily {
            MetricFamily(description, "store", stores.map { ($0.label, value($0.fleet)) })
        }
        return [
            family(.sharedConnected) { .count($0.isConnected ? 1 : 0) },
            family(.sharedLeaseHeld) { .count($0.holdsTurn ? 1 : 0) },
            family(.sharedGeneration) { .count($0.served?.generation ?? 0) },
            family(.sharedLag) { .number($0.lag / .seconds(1)) },
            MetricFamily(
                .sharedClock, "store",
                stores.compactMap { store in
                    store.fleet.clockDifference.map { (store.label, .number($0 / .seconds(1))) }
                }),
        ]
    }

    /// - Parameter served: the last answer to clients, as long as it may be served.
    private func snapshots(
        _ reports: [GraphComponents.LabelledComponent<ProviderReport>], _ served: ProductsAnswer?
    ) -> [MetricFamily] {
        let kept = reports.compactMap { label, report in
            report.memory.flatMap { $0.isServed ? (label, $0.kept) : nil }
        }
        let root = served.map { [KeptSnapshot(snapshot: $0.snapshot)] } ?? []
        return SnapshotFamilies(kept, served: (components.root, root), at: wallClock.now()).all
    }

    private func breakers(_ reports: [GraphComponents.LabelledComponent<ProviderReport>]) -> MetricFamily {
        let series = reports.flatMap { label, report in
            report.breaker.map { current in
                CircuitBreakerStage.allCases.map { stage in
                    MetricSeries(["provider": label, "state": stage.rawValue], .count(stage == current ? 1 : 0))
                }
            } ?? []
        }
        return MetricFamily(.breakerState, series)
    }

    private var analytics: [MetricFamily] {
        let sinks = components.sinks.map { ($0.label, $0.component.statistics) }
        return [
            MetricFamily(.analyticsQueued, "sink", sinks.map { ($0, .count($1.queued)) }),
            MetricFamily(
                .analyticsBacklogBytes, "sink",
                components.sinks.compactMap { sink in sink.component.backlogBytes.map { (sink.label, .count($0)) } }),
            MetricFamily(
                .analyticsEvents,
                sinks.flatMap { label, statistics in
                    statistics.sent.sorted { $0.key < $1.key }
                        .map { MetricSeries(["sink": label, "event": $0.key], .count($0.value)) }
                }),
            MetricFamily(
                .analyticsDropped,
                sinks.flatMap { label, statistics in
                    AnalyticsDropReason.allCases.map {
                        MetricSeries(
                            ["sink": label, "reason": $0.rawValue], .count(statistics.dropped[$0, default: 0]))
                    }
                }),
        ]
    }

    /// The number of generations in each store that can be read.
    private var generations: [(String, MetricValue)] {
        get async {
            var counts: [(String, MetricValue)] = []
            for store in components.stores {
                guard let count = await store.component.generationCount() else { continue }
                counts.append((store.label, .count(count)))
            }
            return counts
        }
    }
}

/// Makes the metrics of kept catalogues, by the providers that keep them.
struct SnapshotFamilies {
    /// A provider's label in metrics, and the catalogues that it keeps.
    typealias Kept = (label: String, snapshots: [KeptSnapshot])

    private let kept: [Kept]
    /// The keepers and the root of the graph. A memory below the root may not have been asked yet, although there is a
    /// catalogue to serve.
    private let counted: [Kept]
    private let time: Date

    /// - Parameter served: the root and the last catalogue sent to clients, the only one of a graph that keeps none.
    init(_ kept: [Kept], served: Kept, at time: Date) {
        let others = kept.contains { $0.label == served.label } ? [] : [served]
        self.kept = kept.isEmpty ? others : kept
        counted = kept + others
        self.time = time
    }

    var all: [MetricFamily] {
        [
            MetricFamily(
                .snapshotProducts, "provider", counted.map { ($0.label, .count(servable(of: $0.snapshots))) }),
            MetricFamily(.snapshotLastSuccess, "provider", oldest { .timestamp($0.fetchedAt) }),
            MetricFamily(
                .snapshotExpiry, "provider",
                kept.compactMap { label, snapshots in
                    snapshots.compactMap(\.freshness?.servableUntil).min().map { (label, .timestamp($0)) }
                }),
            MetricFamily(.snapshotAge, "provider", oldest { .number($0.age(at: time) / .seconds(1)) }),
            MetricFamily(.snapshotInfo, kept.flatMap(Self.revisions)),
        ]
    }

    /// The smallest number of products of a servable catalogue. Expired ones do not count, since they may only lack
    /// requests.
    private func servable(of snapshots: [KeptSnapshot]) -> Int {
        snapshots.filter { $0.freshness?.state(at: time) != .expired }.map(\.snapshot.products.count).min() ?? 0
    }

    private func oldest(_ value: (ProductsSnapshot) -> MetricValue) -> [(String, MetricValue)] {
        kept.compactMap { label, snapshots in
            snapshots.map(\.snapshot).min { $0.fetchedAt < $1.fetchedAt }.map { (label, value($0)) }
        }
    }

    private static func revisions(_ label: String, _ snapshots: [KeptSnapshot]) -> [MetricSeries] {
        Set(snapshots.map(\.snapshot.revision)).sorted()
            .map { MetricSeries(["provider": label, "revision": $0], .count(1)) }
    }
}
