package import Concurrency
internal import EventLoop
internal import FoundationEssentials
internal import HTTPServer
package import Products

/// The encoded forms of the catalogues that the graph holds, and of the one that was answered with last. A revision is
/// encoded once, off the event loops, however many requests want it at that moment. What queries of earlier revisions
/// needed is made ready for a new one behind the first answer.
///
/// When nobody holds a catalogue any more its encodings are let go of at once, and the memory is given back to the
/// system: they weigh several times what the catalogue itself does.
package final class ListingCache: Sendable {
    private struct Entry {
        /// The lifetime of the catalogue that was encoded.
        let lifetime: CatalogueLifetime
        let encoded: EncodedListing
    }

    private struct State {
        /// The most recently made comes first.
        var kept: [Entry] = []
        var running: [String: Task<EncodedListing, Never>] = [:]
        /// Listings that were evicted and have to be released.
        var dropped: [EncodedListing] = []
        /// The index parts that queries needed of those; the last one comes first.
        var wantedBefore: [Set<Int>] = []
    }

    private enum Found {
        case kept(EncodedListing)
        case running(Task<EncodedListing, Never>)
    }

    /// How many revisions ago somebody may have queried for the next one to be made ready for queries.
    private static let remembered = 4
    private let capacity: Int
    private let isVaried: Bool
    private let living: ResponseMemory
    private let modifications: ModificationTimes
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: how many revisions are kept at most.
    ///   - isVaried: whether several of them may be in force at a time.
    ///   - living: counts what is made of them.
    package init(capacity: Int, isVaried: Bool, living: ResponseMemory, modifications: ModificationTimes) {
        self.capacity = capacity
        self.isVaried = isVaried
        self.living = living
        self.modifications = modifications
    }

    /// A cache for a graph that gives so many variants at a time: at most twice as many revisions, up to a number that
    /// memory has room for.
    /// - Parameters:
    ///   - slowReaders: who gives up memory when it is short.
    ///   - previous: what it takes the place of, whose clients are still there.
    package convenience init(
        variants: Int, wallClock: WallClock, slowReaders: SlowReaders? = nil, replacing previous: ListingCache? = nil
    ) {
        self.init(
            capacity: 2 * min(max(variants, 2), 16), isVaried: variants > 1,
            living: previous?.living ?? ResponseMemory(slowReaders: slowReaders),
            modifications: previous?.modifications ?? ModificationTimes(wallClock: wallClock))
    }

    /// The encoded form of a listing, if it is kept.
    func kept(_ listing: ProductsListing) -> EncodedListing? {
        let catalogue = listing.answer.snapshot.catalogue
        return state.withLock { kept(catalogue, &$0) }
    }

    /// The encoded form of a listing.
    package func encoded(_ listing: ProductsListing) async -> EncodedListing {
        switch state.withLock({ find(listing, &$0) }) {
        case .kept(let encoded): encoded
        case .running(let task): await task.value
        }
    }

    /// How many bytes of memory what is kept takes, and what clients still hold of what was.
    var memory: ListingMemory {
        let kept = state.withLock { $0.kept.map(\.encoded) }
        return ListingMemory(
            catalogues: kept.reduce(0) { $0 + $1.catalogue.encoded.count }, encodings: living.sharedCount,
            answers: living.count, indexes: kept.reduce(0) { $0 + $1.indexByteCount })
    }

    private func find(_ listing: ProductsListing, _ state: inout State) -> Found {
        if let kept = kept(listing.answer.snapshot.catalogue, &state) { return .kept(kept) }
        return .running(startedEncoding(of: listing, &state))
    }

    /// A revision that comes back after another one was in force counts as modified then. Where several are in force at a
    /// time, one that comes back can be told from one in its turn only by its having been read anew.
    private func kept(_ catalogue: Catalogue, _ state: inout State) -> EncodedListing? {
        guard let index = state.kept.firstIndex(where: { $0.lifetime === catalogue.lifetime }) else {
            return state.kept.first.flatMap { $0.encoded.isOf(catalogue) ? $0.encoded : nil }
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
                encoded.prepareQueries(wanted)
                ProcessMemory.giveBack()
            }
            return encoded
        }
        state.running[catalogue.revision] = task
        return task
    }

    /// - Returns: what queries needed of those before it.
    private func keep(_ encoded: EncodedListing, of catalogue: Catalogue) -> Set<Int> {
        let wanted = state.withLock { state in
            state.running[catalogue.revision] = nil
            let wanted = state.kept.map(\.encoded.wantedParts) + state.wantedBefore
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

    /// Releases what nobody will ask for again: on this thread and not under the lock, since it takes a tenth of a second
    /// where there are many products.
    /// - Returns: whether there was anything.
    @discardableResult
    private func letGo() -> Bool {
        let dropped = state.withLock { state in
            drop(&state)
            defer { state.dropped = [] }
            return state.dropped
        }
        return !dropped.isEmpty
    }

    /// Takes out those whose catalogues are gone, and those for which there is no room. The one that was answered with
    /// last stays: what comes next is often another catalogue with the same products.
    private func drop(_ state: inout State) {
        for index in state.kept.indices.dropFirst().reversed()
        where index >= capacity || state.kept[index].lifetime.isOver {
            let encoded = state.kept.remove(at: index).encoded
            state.wantedBefore.insert(encoded.wantedParts, at: 0)
            state.dropped.append(encoded)
        }
        state.wantedBefore = Array(state.wantedBefore.prefix(Self.remembered))
    }
}

/// How many bytes of memory the service holds to answer from, by what they are.
struct ListingMemory: Sendable, Hashable {
    /// Canonical encodings of catalogues. The products themselves take some three times as much.
    var catalogues: Int
    /// Whole catalogues as clients get them, in every view and coding.
    var encodings: Int
    /// Answers to single questions.
    var answers: Int
    /// The indexes that make queries fast.
    var indexes: Int
}

/// The moments at which what is served became another, to the second, each later than all that clients were told before.
///
/// Clients that compare dates alone keep what they have when the date stands still or goes back. What replaces something
/// else therefore counts as modified when it does, however old it is: an older catalogue that has to stand in for the last
/// one, or the same catalogue by other rules. Of two changes within a second the later one counts for the next second,
/// which no client is told before it has come.
package final class ModificationTimes: Sendable {
    private struct State {
        /// The latest second in which something changed, although the clock may have been set back since.
        var latest = Int.min
        var last = Int.min
    }

    private let wallClock: WallClock
    private let state = Mutex(State())

    init(wallClock: WallClock) {
        self.wallClock = wallClock
    }

    /// The modification time of the listing that is served next.
    func next() -> LastModified {
        let now = LastModified(wallClock.now()).seconds
        return state.withLock { state in
            state.latest = max(state.latest, now)
            state.last = state.last < state.latest ? state.latest : state.latest + 1
            return LastModified(Date(timeIntervalSince1970: Double(state.last)))
        }
    }
}
