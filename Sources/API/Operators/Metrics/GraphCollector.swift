internal import Analytics
package import Concurrency
internal import FoundationEssentials
internal import Prometheus
internal import Networking
internal import Persistence
internal import Products
package import Providers

/// Exposes the state of one graph's components: a series for each component of a kind, removed with the graph.
package struct GraphCollector: MetricsCollector {
    let components: GraphComponents
    let observation: GraphObservation?
    let readiness: ReadinessTracker
    let listings: ListingCache
    let wallClock: WallClock

    package init(
        components: GraphComponents, observation: GraphObservation?, readiness: ReadinessTracker,
        listings: ListingCache, wallClock: WallClock
    ) {
        self.components = components
        self.observation = observation
        self.readiness = readiness
        self.listings = listings
        self.wallClock = wallClock
    }

    func families() async -> [MetricFamily] {
        let served = try? readiness.catalogue.get()
        let reports = components.reports(in: observation)
        return snapshots(reports, served) + [ready(served != nil), memory, breakers(reports), reachable, saving]
            + analytics
            + [await generations]
    }

    /// - Parameter served: the last answer to clients, as long as it may be served.
    private func snapshots(
        _ reports: [GraphComponents.Labelled<ProviderReport>], _ served: ProductsAnswer?
    ) -> [MetricFamily] {
        let kept = reports.compactMap { label, report in report.memory.map { (label, $0.kept) } }
        let root = served.map { [KeptSnapshot(snapshot: $0.snapshot, isServable: true)] } ?? []
        return SnapshotFamilies(kept, served: (components.root, root), at: wallClock.now()).all
    }

    private func ready(_ isReady: Bool) -> MetricFamily {
        MetricFamily(.ready, [MetricSeries([:], .count(isReady ? 1 : 0))])
    }

    private var memory: MetricFamily {
        let memory = listings.memory
        let kinds = [
            ("catalogues", memory.catalogues), ("encodings", memory.encodings), ("answers", memory.answers),
            ("indexes", memory.indexes),
        ]
        return MetricFamily(.memory, kinds.map { MetricSeries(["kind": $0], .count($1)) })
    }

    private func breakers(_ reports: [GraphComponents.Labelled<ProviderReport>]) -> MetricFamily {
        let series = reports.flatMap { label, report in
            report.breaker.map { current in
                CircuitBreakerStage.allCases.map { stage in
                    MetricSeries(["provider": label, "state": stage.rawValue], .count(stage == current ? 1 : 0))
                }
            } ?? []
        }
        return MetricFamily(.breakerState, series)
    }

    private var reachable: MetricFamily {
        MetricFamily(
            .reachable,
            components.monitors.map { MetricSeries(["monitor": $0.label], .count($0.component.isReachable ? 1 : 0)) })
    }

    private var analytics: [MetricFamily] {
        let sinks = components.sinks.map { ($0.label, $0.component.statistics) }
        return [
            MetricFamily(.analyticsQueued, sinks.map { MetricSeries(["sink": $0], .count($1.queued)) }),
            MetricFamily(
                .analyticsBacklogBytes,
                components.sinks.compactMap { sink in
                    sink.component.backlogBytes.map { MetricSeries(["sink": sink.label], .count($0)) }
                }),
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

    private var saving: MetricFamily {
        MetricFamily(
            .storeSaving,
            components.stores.map {
                MetricSeries(["store": $0.label], .number($0.component.savingTime / .seconds(1)))
            })
    }

    /// A store that cannot be looked at is left out.
    private var generations: MetricFamily {
        get async {
            var series: [MetricSeries] = []
            for store in components.stores {
                guard let count = await store.component.generationCount() else { continue }
                series.append(MetricSeries(["store": store.label], .count(count)))
            }
            return MetricFamily(.storeGenerations, series)
        }
    }
}

/// Makes the families about kept catalogues, by the providers that keep them.
struct SnapshotFamilies {
    /// The snapshots of one provider, and its label in metrics.
    typealias Kept = (label: String, snapshots: [KeptSnapshot])

    private let kept: [Kept]
    /// Also the provider at which requests come in, where it keeps nothing itself: a memory below it may never have
    /// been asked, and that does not mean that there is nothing to serve.
    private let counted: [Kept]
    private let time: Date

    /// - Parameter served: what clients got last, and of whom. Of a graph in which nobody keeps a catalogue it is the
    ///   only one there is to tell of.
    init(_ kept: [Kept], served: Kept, at time: Date) {
        let others = kept.contains { $0.label == served.label } ? [] : [served]
        self.kept = kept.isEmpty ? others : kept
        counted = kept + others
        self.time = time
    }

    var all: [MetricFamily] {
        [
            MetricFamily(
                .snapshotProducts,
                counted.map { MetricSeries(["provider": $0.label], .count(Self.servable(of: $0.snapshots))) }),
            MetricFamily(.snapshotLastSuccess, oldest { .timestamp($0.fetchedAt) }),
            MetricFamily(.snapshotExpiry, expiries),
            MetricFamily(.snapshotAge, oldest { .number($0.age(at: time) / .seconds(1)) }),
            MetricFamily(.snapshotInfo, kept.flatMap(Self.revisions)),
        ]
    }

    /// A catalogue that may not be served any more is passed over: nobody may have asked for it since, and who has got
    /// another one is served.
    private static func servable(of snapshots: [KeptSnapshot]) -> Int {
        snapshots.filter(\.isServable).map(\.snapshot.products.count).min() ?? 0
    }

    private func oldest(_ value: (ProductsSnapshot) -> MetricValue) -> [MetricSeries] {
        kept.compactMap { label, snapshots in
            snapshots.map(\.snapshot).min { $0.fetchedAt < $1.fetchedAt }
                .map { MetricSeries(["provider": label], value($0)) }
        }
    }

    private var expiries: [MetricSeries] {
        kept.compactMap { label, snapshots in
            snapshots.compactMap(\.freshness?.servableUntil).min()
                .map { MetricSeries(["provider": label], .timestamp($0)) }
        }
    }

    private static func revisions(_ label: String, _ snapshots: [KeptSnapshot]) -> [MetricSeries] {
        Set(snapshots.map(\.snapshot.revision)).sorted()
            .map { MetricSeries(["provider": label, "revision": $0], .count(1)) }
    }
}
