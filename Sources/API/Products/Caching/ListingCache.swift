internal import Concurrency
internal import EventLoop
internal import FoundationEssentials
internal import HTTPServer
internal import Products

/// Keeps the encoded forms of the catalogues that the graph holds, and of the last answer. Concurrent requests for a
/// revision share its encoding, which runs off the event loops. After the first answer, the parts of the index that
/// queries of earlier revisions needed are made.
///
/// When a catalogue is released its encodings are dropped, and the memory is returned to the system: they weigh several
/// times as much as the catalogue.
final class ListingCache: Sendable {
    private struct Entry {
        /// The lifetime of the encoded catalogue.
        let lifetime: CatalogueLifetime
        let encoded: EncodedListing
    }

    private struct State {
        /// The newest first.
        var kept: [Entry] = []
        var running: [String: Task<EncodedListing, Never>] = [:]
        /// Listings that are still to be released.
        var dropped: [EncodedListing] = []
        /// The parts of the index that queries needed of dropped listings; the last one comes first.
        var wantedBefore: [Set<Int>] = []
    }

    /// The number of dropped revisions whose queries decide about parts of the index to make in advance.
    private static let remembered = 4
    private let capacity: Int
    private let isVaried: Bool
    private let living: ResponseMemory
    private let modifications: ModificationTimes
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: the most revisions that are kept.
    ///   - isVaried: whether several of them may be in force at a time.
    init(capacity: Int, isVaried: Bool, living: ResponseMemory, modifications: ModificationTimes) {
        self.capacity = capacity
        self.isVaried = isVaried
        self.living = living
        self.modifications = modifications
    }

    /// A cache for a graph with a number of variants, which keeps twice as many revisions, up to 32.
    /// - Parameter previous: the replaced cache, whose responses clients may still hold.
    convenience init(
        variants: Int, wallClock: WallClock, slowReaders: SlowReaders? = nil, replacing previous: ListingCache? = nil
    ) {
        self.init(
            capacity: 2 * min(max(variants, 2), 16), isVaried: variants > 1,
            living: previous?.living ?? ResponseMemory(slowReaders: slowReaders),
            modifications: previous?.modifications ?? ModificationTimes(wallClock: wallClock))
    }

    /// The encoded form of a listing, ready if it is kept.
    func encoded(_ listing: ProductsListing) -> Eventual<EncodedListing> {
        let catalogue = listing.answer.snapshot.catalogue
        if let kept = state.withLock({ kept(catalogue, &$0) }) { return .ready(kept) }
        return .pending { [self] in try await state.withLock { find(listing, &$0) }.value }
    }

    /// The bytes of all listings and responses, replaced ones that clients still hold included.
    var memory: ListingMemory {
        let kept = state.withLock { $0.kept.map(\.encoded) }
        return ListingMemory(
            catalogues: kept.reduce(0) { $0 + $1.catalogue.encoded.count }, encodings: living.sharedCount,
            answers: living.count, indexes: kept.reduce(0) { $0 + $1.index.byteCount })
    }

    private func find(_ listing: ProductsListing, _ state: inout State) -> Eventual<EncodedListing> {
        if let kept = kept(listing.answer.snapshot.catalogue, &state) { return .ready(kept) }
        let task = startedEncoding(of: listing, &state)
        return .pending { await task.value }
    }

    /// A revision that comes back after another one was in force counts as modified then. Where several are in force at a
    /// time, a change of revision is no sign of that.
    private func kept(_ catalogue: Catalogue, _ state: inout State) -> EncodedListing? {
        guard let index = state.kept.firstIndex(where: { $0.lifetime === catalogue.lifetime }) else {
            return state.kept.first.flatMap { $0.encoded.catalogue.revision == catalogue.revision ? $0.encoded : nil }
        }
        guard index > 0, !isVaried else { return state.kept[index].encoded }
        let back = EncodedListing(state.kept.remove(at: index).encoded, lastModified: modifications.next())
        state.kept.insert(Entry(lifetime: catalogue.lifetime, encoded: back), at: 0)
        return back
    }

    private func startedEncoding(
        of listing: ProductsListing, _ state: inout State
    ) -> Task<EncodedListing, Never> {
        let catalogue = listing.answer.snapshot.catalogue
        if let running = state.running[catalogue.revision] { return running }
        let task = Task.detached { [self] in
            let encoded = EncodedListing(
                listing, lastModified: modifications.next(), living: living, siblings: isVaried ? capacity : 2)
            let wanted = keep(encoded, of: catalogue)
            Task.detached(priority: .utility) { [self] in
                letGo()
                encoded.index.prepare(wanted)
                ProcessMemory.giveBack()
            }
            return encoded
        }
        state.running[catalogue.revision] = task
        return task
    }

    /// - Returns: the parts of the index that queries needed of earlier revisions.
    private func keep(_ encoded: EncodedListing, of catalogue: Catalogue) -> Set<Int> {
        let wanted = state.withLock { state in
            state.running[catalogue.revision] = nil
            let wanted = state.kept.map(\.encoded.index.wantedParts) + state.wantedBefore
            state.kept.insert(Entry(lifetime: catalogue.lifetime, encoded: encoded), at: 0)
            drop(&state)
            return wanted.reduce(into: Set()) { $0.formUnion($1) }
        }
        catalogue.lifetime.whenOver { [weak self] in
            Task.detached(priority: .utility) { [weak self] in
                if self?.letGo() == true { ProcessMemory.giveBack() }
            }
        }
        return wanted
    }

    /// Releases dropped listings outside the lock, since it takes a tenth of a second for many products.
    /// - Returns: whether there were any.
    @discardableResult
    private func letGo() -> Bool {
        let dropped = state.withLock { state in
            drop(&state)
            defer { state.dropped = [] }
            return state.dropped
        }
        return !dropped.isEmpty
    }

    /// Drops listings whose catalogues are gone, and those beyond the capacity. The last one stays: the next catalogue
    /// often has the same products.
    private func drop(_ state: inout State) {
        for index in state.kept.indices.dropFirst().reversed()
        where index >= capacity || state.kept[index].lifetime.isOver {
            let encoded = state.kept.remove(at: index).encoded
            state.wantedBefore.insert(encoded.index.wantedParts, at: 0)
            state.dropped.append(encoded)
        }
        state.wantedBefore = Array(state.wantedBefore.prefix(Self.remembered))
    }
}

/// The bytes of memory that answers take, by their use.
struct ListingMemory: Sendable, Hashable {
    /// Canonical encodings of catalogues. The products take about three times as much.
    var catalogues: Int
    /// Whole catalogues as clients get them, in every view and coding.
    var encodings: Int
    /// Answers to single queries.
    var answers: Int
    /// Indexes for queries.
    var indexes: Int
}

/// Makes modification times, to the second, each later than all before it.
///
/// Clients that compare only dates keep their copy when the date stands still or goes back. A replacement therefore counts
/// as modified when it comes into force, however old its catalogue is. Of two changes within a second the later one counts
/// for the next second, and is sent only when that has come.
final class ModificationTimes: Sendable {
    private struct State {
        /// The latest second of a change; the clock may have been set back since.
        var latest = Int.min
        var last = Int.min
    }

    private let wallClock: WallClock
    private let state = Mutex(State())

    init(wallClock: WallClock) {
        self.wallClock = wallClock
    }

    /// The modification time of a replacement.
    func next() -> LastModified {
        let now = LastModified(wallClock.now()).seconds
        return state.withLock { state in
            state.latest = max(state.latest, now)
            state.last = state.last < state.latest ? state.latest : state.latest + 1
            return LastModified(Date(timeIntervalSince1970: Double(state.last)))
        }
    }
}
