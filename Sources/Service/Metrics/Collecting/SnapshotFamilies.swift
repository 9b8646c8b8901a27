internal import FoundationEssentials
internal import Products
internal import Providers

/// What is told of the catalogues that are kept, by the providers that keep them.
struct SnapshotFamilies {
    /// What one provider keeps, by what metrics call it.
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
