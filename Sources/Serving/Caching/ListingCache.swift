internal import Concurrency
internal import HTTPServer
internal import Products
internal import Querying
internal import struct Synchronization.Atomic

/// Keeps the encoded forms of the graph's catalogues, and of the last answer. Concurrent requests for a revision share
/// its encoding, which runs off the event loops. The parts that requests for earlier revisions wanted are made with it:
/// before the revision comes into force if possible, otherwise behind the first response.
///
/// When a catalogue is released, its encodings are dropped and their memory is returned to the system: they take
/// several times as much as the catalogue.
final class ListingCache: Sendable {
    private struct Entry {
        /// The lifetime of the encoded catalogue, or of an equal one requested later.
        var lifetime: CatalogueLifetime
        var encoded: EncodedListing
        /// Whether it was prepared and no request has come for it yet.
        var isAhead: Bool
    }

    private struct State {
        /// Ordered by the time of coming into force, the last one first; prepared ones come after it until they do.
        var kept: [Entry] = []
        var running: [String: Task<EncodedListing, Never>] = [:]
        /// Listings to be released.
        var dropped: [EncodedListing] = []
        /// The parts that requests wanted of dropped listings, the last one first.
        var wantedBefore: [ListingParts] = []

        /// The parts that requests wanted of all listings.
        var wanted: ListingParts {
            (kept.map(\.encoded.wanted) + wantedBefore).reduce(into: ListingParts()) { $0.formUnion($1) }
        }

        /// The index of the listing of a catalogue, or of an equal one in force or prepared.
        func place(of catalogue: Catalogue) -> Int? {
            kept.firstIndex { $0.lifetime === catalogue.lifetime }
                ?? kept.indices.first { index in
                    (index == 0 || kept[index].isAhead)
                        && kept[index].encoded.catalogue.revision == catalogue.revision
                }
        }
    }

    /// The number of variants up to which the cache keeps the listing of each.
    static let mostVariants = 16
    /// The number of dropped revisions whose requests decide which parts are made in advance.
    private static let remembered = 4
    private let capacity: Int
    private let isVaried: Bool
    /// The languages that are negotiated.
    let languages: [String]
    private let responseMemory: ResponseMemory
    private let modifications: ModificationTimes
    private let members: FindableMembers
    private let doubts: IndexDoubts?
    let served: ServedRevisions
    private let state: Mutex<State>
    /// Incremented whenever a catalogue may have another listing than before.
    let generation = Atomic<Int>(0)

    /// - Parameters:
    ///   - capacity: the most revisions that are kept, in force or not.
    ///   - isVaried: whether several of them may be in force at a time.
    ///   - doubts: reports members that do not fit a catalogue.
    ///   - wanted: the parts that requests wanted of a replaced cache.
    init(
        capacity: Int, isVaried: Bool, memory: ResponseMemory, modifications: ModificationTimes,
        languages: [String] = [], findable members: FindableMembers = FindableMembers(), doubts: IndexDoubts? = nil,
        served: ServedRevisions = ServedRevisions(), wanted: ListingParts = ListingParts()
    ) {
        (self.capacity, self.isVaried, self.languages) = (capacity, isVaried, languages)
        (responseMemory, self.modifications) = (memory, modifications)
        (self.members, self.doubts, self.served) = (members, doubts, served)
        state = Mutex(State(wantedBefore: [wanted]))
    }

    /// Creates a cache for a graph. It keeps two revisions for each variant, of ``mostVariants`` variants at most.
    /// - Parameter previous: the replaced cache, whose responses may still be in flight.
    convenience init(
        variants: Int, wallClock: WallClock, languages: [String] = [], slowReaders: SlowReaders? = nil,
        findable members: FindableMembers = FindableMembers(), doubts: IndexDoubts? = nil,
        replacing previous: ListingCache? = nil
    ) {
        self.init(
            capacity: 2 * min(max(variants, 2), Self.mostVariants), isVaried: variants > 1,
            memory: previous?.responseMemory ?? ResponseMemory(slowReaders: slowReaders),
            modifications: previous?.modifications ?? ModificationTimes(wallClock: wallClock),
            languages: languages, findable: members, doubts: doubts, served: previous?.served ?? ServedRevisions(),
            wanted: previous?.state.withLock(\.wanted) ?? ListingParts())
    }

    deinit { doubts?.forget(ObjectIdentifier(self)) }

    /// The encoded form of a listing, ready if it is kept.
    func encoded(_ listing: ProductsListing) -> Eventual<EncodedListing> {
        let catalogue = listing.answer.snapshot.catalogue
        if let kept = state.withLock({ kept(catalogue, &$0) }) { return .ready(kept) }
        return .pending { [self] in try await state.withLock { find(listing, &$0) }.value }
    }

    /// Encodes a listing before it comes into force, and makes the parts that requests wanted of others, so that its
    /// first request does not wait. The encoding counts as modified at that request.
    /// - Parameter replaced: the revision that it will replace, which has to be cached; nil for a new edition.
    func prepare(_ listing: ProductsListing, replacing replaced: String? = nil) async {
        let catalogue = listing.answer.snapshot.catalogue
        let task = state.withLock { state -> Task<EncodedListing, Never>? in
            let isWanted = replaced.map { old in state.kept.contains { $0.encoded.catalogue.revision == old } }
            guard isWanted ?? true, state.place(of: catalogue) == nil else { return nil }
            return startedEncoding(of: listing, isAhead: true, replacing: replaced, &state)
        }
        if let encoded = await task?.value { await make(state.withLock(\.wanted), of: encoded, replacing: replaced) }
    }

    /// The bytes of all listings and responses, including replaced ones in flight.
    var memory: ListingMemory { ListingMemory(of: state.withLock { $0.kept.map(\.encoded) }, responseMemory, served) }

    private func find(_ listing: ProductsListing, _ state: inout State) -> Eventual<EncodedListing> {
        if let kept = kept(listing.answer.snapshot.catalogue, &state) { return .ready(kept) }
        let task = startedEncoding(of: listing, isAhead: false, &state)
        return .pending { [self] in
            let encoded = await task.value
            return self.state.withLock { kept(listing.answer.snapshot.catalogue, &$0) } ?? encoded
        }
    }

    /// A revision that was prepared, or returns after another one, counts as modified when it comes into force. If
    /// several are in force at a time, a change of revision does not imply a return.
    private func kept(_ catalogue: Catalogue, _ state: inout State) -> EncodedListing? {
        guard let index = state.place(of: catalogue) else { return nil }
        if state.kept[index].lifetime !== catalogue.lifetime, state.kept[index].lifetime.isOver {
            state.kept[index].lifetime = catalogue.lifetime
            letGo(after: catalogue.lifetime)
        }
        guard state.kept[index].isAhead || index > 0 && !isVaried else { return state.kept[index].encoded }
        var entry = state.kept.remove(at: index)
        entry.encoded = EncodedListing(entry.encoded, lastModified: modifications.next())
        entry.isAhead = false
        state.kept.insert(entry, at: 0)
        generation.wrappingAdd(1, ordering: .releasing)
        return entry.encoded
    }

    /// - Parameter replaced: the revision that it will replace, if that is known.
    private func startedEncoding(
        of listing: ProductsListing, isAhead: Bool, replacing replaced: String? = nil, _ state: inout State
    ) -> Task<EncodedListing, Never> {
        let catalogue = listing.answer.snapshot.catalogue
        if let running = state.running[catalogue.revision] { return running }
        let task = Task.detached(executorPreference: BackgroundExecutor.shared) { [self] in
            // The time of a prepared listing is replaced when it comes into force.
            let lastModified = isAhead ? LastModified(listing.answer.snapshot.fetchedAt) : modifications.next()
            // Another listing may come into force during the encoding.
            let inForce = { self.state.withLock { self.predecessor(of: catalogue, replacing: replaced, $0) } }
            let encoded = EncodedListing(
                listing, as: await EncodedListing.listed(listing, after: inForce()), lastModified: lastModified,
                languages: languages, memory: responseMemory, siblings: isVaried ? capacity : 2, findable: members)
            if let last = inForce() { served.record(from: last.catalogue, to: encoded.catalogue) }
            var wanted = keep(
                Entry(lifetime: catalogue.lifetime, encoded: encoded, isAhead: isAhead), of: catalogue.revision)
            if !isAhead {
                // The first client is already waiting, and compresses the whole on demand.
                wanted.compressed = []
                Task.detached(executorPreference: BackgroundExecutor.shared) { [self, wanted] in
                    await make(wanted, of: encoded, replacing: replaced)
                }
            }
            return encoded
        }
        state.running[catalogue.revision] = task
        return task
    }

    /// The listing that a catalogue's listing replaces; nil if none is known.
    private func predecessor(of catalogue: Catalogue, replacing replaced: String?, _ state: State) -> EncodedListing? {
        let revision = replaced ?? catalogue.changes?.revision
        let others = state.kept.lazy.map(\.encoded).filter { $0.catalogue.revision != catalogue.revision }
        return others.first { $0.catalogue.revision == revision } ?? (isVaried ? nil : others.first)
    }

    private func make(_ wanted: ListingParts, of encoded: EncodedListing, replacing replaced: String?) async {
        letGo()
        await encoded.prepare(
            wanted, after: state.withLock { predecessor(of: encoded.catalogue, replacing: replaced, $0) })
        if !members.isEmpty { doubts?.check(encoded.index, of: self) }
        responseMemory.giveBack()
    }

    /// - Returns: the parts that requests wanted of other listings.
    private func keep(_ entry: Entry, of revision: String) -> ListingParts {
        let wanted = state.withLock { state in
            state.running[revision] = nil
            state.kept.insert(entry, at: entry.isAhead ? min(1, state.kept.count) : 0)
            drop(&state)
            return state.wanted
        }
        letGo(after: entry.lifetime)
        return wanted
    }

    private func letGo(after lifetime: CatalogueLifetime) {
        lifetime.whenOver { [weak self] in
            // The next request may have the listing stay for an equal catalogue.
            self?.generation.wrappingAdd(1, ordering: .releasing)
            Task.detached(executorPreference: BackgroundExecutor.shared) { [weak self] in
                if let self, letGo() { responseMemory.giveBack() }
            }
        }
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
        for listing in dropped { doubts?.forget(listing.catalogue.revision, of: self) }
        return !dropped.isEmpty
    }

    /// Drops listings whose catalogues are released, and those beyond the capacity, which prepared ones do not count
    /// towards. The newest one stays, since the next catalogue often has the same products.
    private func drop(_ state: inout State) {
        generation.wrappingAdd(1, ordering: .releasing)
        let newest = state.kept.firstIndex { $0.isAhead && !$0.lifetime.isOver } ?? 0
        let inForce = state.kept.indices.filter { !state.kept[$0].isAhead }
        let beyond = Set(inForce.dropFirst(capacity))
        for index in state.kept.indices.reversed()
        where index != newest && (beyond.contains(index) || state.kept[index].lifetime.isOver) {
            let encoded = state.kept.remove(at: index).encoded
            state.wantedBefore.insert(encoded.wanted, at: 0)
            state.dropped.append(encoded)
        }
        state.wantedBefore = Array(state.wantedBefore.prefix(Self.remembered))
    }
}
