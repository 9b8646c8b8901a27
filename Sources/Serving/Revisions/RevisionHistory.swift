internal import Concurrency
package import HTTPServer
package import Products

/// Finds what has changed since a revision: by the differences of those that were served, or else by the catalogues among the
/// generations that a graph's stores keep.
///
/// The list of generations is read at most once a second, and when another revision has come into force, so that
/// requests for unknown revisions do not read the disk. Catalogues are read and compared one at a time.
package final class RevisionHistory: Sendable {
    /// A generation of one of the stores.
    private struct Place: Sendable {
        let store: Int
        let generation: Int
    }

    private struct State: Sendable {
        /// By revision.
        var places: [String: Place] = [:]
        /// When the list was last read; nil before.
        var lastReading: Duration?
        /// The revisions in force for which the list has been read since the last regular reading.
        var targets: Set<String> = []
        var reading: Task<Void, Never>?
    }

    private enum Lookup {
        case found(Place)
        case unknown
        case reading(Task<Void, Never>)
    }

    /// The least time between two regular readings of the list.
    private static let interval = Duration.seconds(1)
    /// The most revisions in force between two regular readings for which the list is read at once.
    private static let mostTargets = 8
    /// The longest time for which a request waits for a disk.
    private static let timeout = Duration.seconds(5)

    private let stores: [any ProductsHistory]
    private let served: ServedRevisions
    private let comparisons = GenerationDifferences()
    private let state: TimedState<State>

    /// - Parameter responses: keeps the differences of the revisions that were served.
    package init(_ stores: [any ProductsHistory], responses: ResponseCache, clock: any Clock<Duration>) {
        (self.stores, served) = (stores, responses.served)
        state = TimedState(State(), clock: clock)
    }

    /// Runs work off the event loops, after all earlier work.
    func alone<Value: Sendable>(
        _ work: @escaping @concurrent @Sendable () async throws -> Value
    ) async throws -> Value {
        try await comparisons.alone(work)
    }

    /// Checks that a revision is kept.
    /// - Parameter target: the revision in force.
    /// - Throws: `RevisionGone` when it is not, and `ProductsFailure.storeFailed` when the disk does not answer.
    func check(_ revision: String, for target: String) async throws {
        _ = try await place(of: revision, for: target)
    }

    /// Reads the catalogue of a revision.
    /// - Throws: as `check(_:for:)`.
    func catalogue(_ revision: String, for target: String) async throws -> Catalogue {
        let place = try await place(of: revision, for: target)
        let read = await firstOutcome(within: Self.timeout) { [store = stores[place.store]] in
            await Self.read(place.generation, of: store)
        }
        switch read {
        case .success(let catalogue)? where catalogue.revision == revision: return catalogue
        case .success?, .failure(.notStored)?:
            state.update { state, _ in state.places[revision] = nil }
            throw RevisionGone()
        case .failure(let failure)?: throw failure
        case nil: throw Self.silence
        }
    }

    private static func read(
        _ generation: Int, of store: any ProductsHistory
    ) async -> Result<Catalogue, ProductsFailure> {
        do throws(ProductsFailure) {
            return .success(try await store.snapshot(of: .generation(generation)).catalogue)
        } catch {
            return .failure(error)
        }
    }

    private static var silence: ProductsFailure { .storeFailed(detail: "the disk does not answer") }

    private func place(of revision: String, for target: String) async throws -> Place {
        guard !stores.isEmpty else { throw RevisionGone() }
        switch lookUp(for: revision, for: target) {
        case .found(let place): return place
        case .unknown: throw RevisionGone()
        case .reading(let reading):
            let isRead: Void? = await firstOutcome(within: Self.timeout) { await reading.value }
            guard isRead != nil else { throw Self.silence }
            guard let place = state.update({ state, _ in state.places[revision] }) else { throw RevisionGone() }
            return place
        }
    }

    private func lookUp(for revision: String, for target: String) -> Lookup {
        state.update { state, now in
            if let place = state.places[revision] { return .found(place) }
            if let reading = state.reading { return .reading(reading) }
            if state.lastReading.map({ now - $0 >= Self.interval }) ?? true {
                state.targets = [target]
            } else {
                guard state.targets.count < Self.mostTargets, state.targets.insert(target).inserted else {
                    return .unknown
                }
            }
            let reading = Task.detached { [self] in await read() }
            state.reading = reading
            return .reading(reading)
        }
    }

    /// Reads the list. A store that cannot be read is left out.
    private func read() async {
        var places: [String: Place] = [:]
        for (index, store) in stores.enumerated() {
            for entry in (try? await store.history()) ?? [] where places[entry.revision] == nil {
                places[entry.revision] = Place(store: index, generation: entry.generation)
            }
        }
        state.update { [places] state, now in
            state.places = places
            state.lastReading = now
            state.reading = nil
        }
    }
}

extension RevisionHistory {
    /// The difference of a listing from another revision.
    /// - Parameter before: the catalogue of that revision, if it is known.
    /// - Throws: `RevisionGone`, `ProductsFailure.storeFailed` or `ResponseMemoryExhausted`.
    package func changes(
        since revision: String, in listing: EncodedListing, as form: ChangesForm, _ coding: ContentCoding,
        before: Catalogue? = nil
    ) async throws -> CachedResponse {
        let target = listing.catalogue.revision
        let before = before ?? (revision == target ? listing.catalogue : nil)
        return try await listing.changes(since: revision, as: form, coding) { [self] in
            if before == nil, let difference = served.difference(from: revision, to: listing.catalogue) {
                return CatalogueChanges(difference, to: listing).representation(as: form)
            }
            if before == nil { try await check(revision, for: target) }
            return try await alone { [self] in
                let earlier: Catalogue
                if let before { earlier = before } else { earlier = try await catalogue(revision, for: target) }
                return CatalogueChanges(from: earlier, to: listing).representation(as: form)
            }
        }
    }
}

/// A revision that is not kept, or never existed.
struct RevisionGone: HTTPResponseError {
    /// 410 with a link to the whole catalogue, since no later request for it can succeed.
    var response: HTTPResponse {
        ProblemDetails(
            status: .gone, detail: "the differences from this revision are not kept; read the whole catalogue",
            parameter: "since"
        ).response(headers: ["Link": "</products>; rel=\"alternate\""])
    }
}
