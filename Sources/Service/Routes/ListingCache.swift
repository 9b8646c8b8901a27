internal import HTTPServer
internal import Products
internal import Locks

/// The revisions that were encoded last. A revision is encoded once, off the event loops, however many requests want it
/// at that moment. What queries of earlier revisions needed is made ready for a new one behind the first answer.
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
    private let isVaried: Bool
    private let living: LivingBytes
    private let modifications: ModificationTimes
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: how many revisions are kept.
    ///   - isVaried: whether several of them may be in force at a time.
    ///   - living: counts what is made of them.
    init(capacity: Int, isVaried: Bool, living: LivingBytes, modifications: ModificationTimes) {
        self.capacity = capacity
        self.isVaried = isVaried
        self.living = living
        self.modifications = modifications
    }

    /// A cache for a graph that gives so many variants at a time: for each the revision in force and the one before it,
    /// up to a number that memory has room for.
    /// - Parameters:
    ///   - slowReaders: who gives up memory when it is short.
    ///   - previous: what it takes the place of, whose clients are still there.
    convenience init(
        variants: Int, wallClock: WallClock, slowReaders: SlowReaders? = nil, replacing previous: ListingCache? = nil
    ) {
        self.init(
            capacity: 2 * min(max(variants, 2), 16), isVaried: variants > 1,
            living: previous?.living ?? LivingBytes(slowReaders: slowReaders),
            modifications: previous?.modifications ?? ModificationTimes(wallClock: wallClock))
    }

    /// The encoded form of a listing, if it is kept.
    func kept(_ listing: ProductsListing) -> EncodedListing? {
        let catalogue = listing.answer.snapshot.catalogue
        return state.withLock { kept(catalogue, &$0) }
    }

    /// The encoded form of a listing.
    func encoded(_ listing: ProductsListing) async -> EncodedListing {
        switch state.withLock({ find(listing, &$0) }) {
        case .kept(let encoded): encoded
        case .running(let task): await task.value
        }
    }

    private func find(_ listing: ProductsListing, _ state: inout State) -> Found {
        if let kept = kept(listing.answer.snapshot.catalogue, &state) { return .kept(kept) }
        return .running(startedEncoding(of: listing, &state))
    }

    /// A revision that comes back after another one was in force counts as modified then. Where several are in force at a
    /// time, one that comes back can be told from one in its turn only by its having been read anew.
    private func kept(_ catalogue: Catalogue, _ state: inout State) -> EncodedListing? {
        guard let index = state.kept.firstIndex(where: { $0.catalogue === catalogue }) else {
            return state.kept.first.flatMap { $0.isOf(catalogue) ? $0 : nil }
        }
        guard index > 0, !isVaried else { return state.kept[index] }
        let back = EncodedListing(state.kept.remove(at: index), lastModified: modifications.next())
        state.kept.insert(back, at: 0)
        return back
    }

    private func startedEncoding(
        of listing: ProductsListing, _ state: inout State
    ) -> Task<EncodedListing, Never> {
        let revision = listing.answer.snapshot.revision
        if let running = state.running[revision] { return running }
        let task = Task.detached { [self] in
            let encoded = EncodedListing(
                listing, lastModified: modifications.next(), living: living, siblings: capacity)
            let earlier = keep(encoded, revision)
            Task.detached(priority: .utility) { encoded.prepareQueries(like: earlier) }
            return encoded
        }
        state.running[revision] = task
        return task
    }

    /// - Returns: what was kept before it.
    private func keep(_ encoded: EncodedListing, _ revision: String) -> [EncodedListing] {
        state.withLock { state in
            let earlier = state.kept
            state.running[revision] = nil
            state.kept.insert(encoded, at: 0)
            if state.kept.count > capacity { state.kept.removeLast() }
            return earlier
        }
    }
}
