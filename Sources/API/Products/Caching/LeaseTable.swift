internal import Concurrency
internal import Products

/// Keeps the lease of the last answer to each variant of the requests, on each event loop.
///
/// A withdrawn lease is renewed or dropped at once, so that its catalogue lives no longer than with its provider. Each
/// loop has a row of its own as far as `ThreadStripe` tells threads apart, so loops seldom meet at a lock.
final class LeaseTable: Sendable {
    private typealias Row = CacheLinePadded<Mutex<[ProductsLease?]>>

    /// The most variants; requests of a graph with more always ask it.
    private static let most = 1024
    private let rows: InlineArray<8, Row>

    /// - Parameter variants: the number of variants of the requests.
    init(variants: Int) {
        let count = variants <= Self.most ? variants : 0
        rows = InlineArray { _ in Row(Mutex(Array(repeating: nil, count: count))) }
    }

    /// The lease for requests of a variant; nil where they have to ask the graph.
    func lease(for variant: Int) -> ProductsLease? {
        rows[ThreadStripe.own].content.withLock { $0.indices.contains(variant) ? $0[variant] : nil }
    }

    /// Keeps the lease that came with the answer to a request of this variant. It replaces another one.
    func keep(_ lease: ProductsLease?, for variant: Int) {
        if let lease { keep(lease, for: variant, in: ThreadStripe.own) }
    }

    private func keep(_ lease: ProductsLease, for variant: Int, in row: Int) {
        // The replaced lease is released without the lock: it may hold the last reference to a catalogue.
        let replaced = rows[row].content.withLock { leases -> ProductsLease? in
            guard leases.indices.contains(variant) else { return lease }
            defer { leases[variant] = lease }
            return leases[variant]
        }
        guard replaced?.publication !== lease.publication else { return }
        lease.publication.whenReleased { [weak self] in self?.renew(variant, in: row) }
    }

    /// Renews a withdrawn lease, so that no request has to ask the graph only because the catalogue was refreshed: where
    /// all places for requests that wait are taken, it could not. Drops the lease where it cannot be renewed.
    private func renew(_ variant: Int, in row: Int) {
        let withdrawn = rows[row].content.withLock { leases -> ProductsLease? in
            guard let lease = leases[variant], !lease.publication.isCurrent else { return nil }
            leases[variant] = nil
            return lease
        }
        if let renewed = withdrawn?.renewed() { keep(renewed, for: variant, in: row) }
    }
}
