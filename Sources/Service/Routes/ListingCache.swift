internal import HTTPServer
internal import Products
internal import Locks

/// The revisions that were encoded last. A revision is encoded once, off the event loops, however many requests want it
/// at that moment.
final class ListingCache: Sendable {
    private struct State {
        /// The most recently made comes first.
        var kept: [EncodedListing] = []
        var running: [String: Task<EncodedListing, Never>] = [:]
    }

    private enum Found {
        case kept(EncodedListing)
        case running(Task<EncodedListing, Never>)
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: how many revisions are kept.
    init(capacity: Int = 4) {
        self.capacity = capacity
    }

    /// A cache for a graph that gives so many variants at a time: for each the revision in force and the one before it,
    /// up to a number that memory has room for.
    convenience init(variants: Int) {
        self.init(capacity: 2 * min(max(variants, 2), 16))
    }

    /// The encoded form of a listing.
    func encoded(_ listing: ProductsListing) async -> EncodedListing {
        switch state.withLock({ find(listing, &$0) }) {
        case .kept(let encoded): encoded
        case .running(let task): await task.value
        }
    }

    private func find(_ listing: ProductsListing, _ state: inout State) -> Found {
        let catalogue = listing.answer.snapshot.catalogue
        if let kept = state.kept.first(where: { $0.isOf(catalogue) }) { return .kept(kept) }
        return .running(startedEncoding(of: listing, &state))
    }

    private func startedEncoding(
        of listing: ProductsListing, _ state: inout State
    ) -> Task<EncodedListing, Never> {
        let revision = listing.answer.snapshot.revision
        if let running = state.running[revision] { return running }
        let task = Task.detached { [self] in
            let encoded = EncodedListing(listing)
            keep(encoded, revision)
            return encoded
        }
        state.running[revision] = task
        return task
    }

    private func keep(_ encoded: EncodedListing, _ revision: String) {
        state.withLock { state in
            state.running[revision] = nil
            state.kept.insert(encoded, at: 0)
            if state.kept.count > capacity { state.kept.removeLast() }
        }
    }
}
