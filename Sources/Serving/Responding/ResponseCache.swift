package import Concurrency
package import CoreMetrics
internal import FoundationEssentials
package import HTTPServer
package import Products
package import Querying

/// Finds the response to a request for products, for all routes of products.
///
/// A response depends on five inputs. The variant selects the lease that answers, or the graph is asked. Query and
/// coding select the bytes; condition and second select the head. Each part bounds its own memory.
package final class ResponseCache: Sendable {
    package let consulted: ConsultedHeaders
    package let wallClock: WallClock
    private let useCase: ProductsUseCase
    private let meter: AnswerMeter
    private let leases: LeaseTable
    private let listings: ListingCache

    init(
        useCase: ProductsUseCase, consulted: ConsultedHeaders, metrics: any MetricsFactory, wallClock: WallClock,
        listings: ListingCache
    ) {
        self.useCase = useCase
        self.consulted = consulted
        self.wallClock = wallClock
        self.listings = listings
        meter = AnswerMeter(metrics)
        leases = LeaseTable(variants: consulted.variance.variants)
    }

    /// - Parameters:
    ///   - previous: the replaced cache, whose responses may still be in flight.
    ///   - languages: those that are negotiated; none by default.
    ///   - keepsResponses: whether the responses of the previous cache are still valid.
    package convenience init(
        useCase: ProductsUseCase, consulted: ConsultedHeaders, metrics: any MetricsFactory, wallClock: WallClock,
        languages: [String] = [], slowReaders: SlowReaders? = nil,
        findable members: FindableMembers = FindableMembers(), doubts: IndexDoubts? = nil,
        replacing previous: ResponseCache? = nil, keepsResponses: Bool = false
    ) {
        let kept = keepsResponses ? previous?.listings : nil
        self.init(
            useCase: useCase, consulted: consulted, metrics: metrics, wallClock: wallClock,
            listings: kept
                ?? ListingCache(
                    variants: consulted.variance.variants, wallClock: wallClock, languages: languages,
                    slowReaders: slowReaders, findable: members, doubts: doubts, replacing: previous?.listings))
    }

    /// The languages that are negotiated.
    package var languages: [String] { listings.languages }

    /// Prepares the catalogue of an answer before it comes into force, so that the first client does not wait for it.
    /// - Parameter replaced: the revision that it will replace; nil for a new edition. Nothing is prepared if that
    ///   revision is not cached, for instance because it is merged with others.
    package func prepare(_ answer: ProductsAnswer, replacing replaced: String? = nil) async {
        _ = try? await offLoop { await listings.prepare(useCase.listing(answer), replacing: replaced) }
    }

    /// The differences between the revisions that were served.
    var served: ServedRevisions { listings.served }

    /// The bytes of cached responses, and of replaced ones that are still being sent.
    package var memory: ListingMemory { listings.memory }

    /// Responds immediately if there is a lease and the bytes are cached. Otherwise the graph is asked, and its lease
    /// is kept for the next request.
    func response(to wanted: ProductsLookup, by responder: some ProductsResponder) throws -> EventualResponse {
        let variant = consulted.variance.variant(of: wanted.request)
        let now = wallClock.now()
        if let lease = leases.lease(for: variant),
            let leased = lease.answer(for: consulted.products(wanted.request), at: now)
        {
            return try response(to: wanted, from: useCase.listing(leased), at: now, by: responder)
        }
        return .pending { [self] in
            let listing = try await useCase.products(for: consulted.products(wanted.request))
            leases.keep(listing.answer.lease, for: variant)
            return try await response(to: wanted, from: listing, at: wallClock.now(), by: responder).response
        }
    }

    /// The graph's products for a request, encoded, with their answer.
    package func current(for request: HTTPRequest) async throws -> (encoded: EncodedListing, answer: ProductsAnswer) {
        let variant = consulted.variance.variant(of: request)
        let found = try await current(for: consulted.products(request), variant: variant)
        meter.record(found.answer, at: wallClock.now())
        return found
    }

    /// The graph's products for requests of a variant, encoded. They do not count as an answer.
    func current(
        for request: ProductsRequest, variant: Int
    ) async throws -> (encoded: EncodedListing, answer: ProductsAnswer) {
        let leased = leases.lease(for: variant)?.answer(for: request, at: wallClock.now())
        let listing: ProductsListing
        if let leased {
            listing = useCase.listing(leased)
        } else {
            listing = try await useCase.products(for: request)
            leases.keep(listing.answer.lease, for: variant)
        }
        return (try await listings.encoded(listing).value, listing.answer)
    }

    private func response(
        to wanted: ProductsLookup, from listing: ProductsListing, at now: Date, by responder: some ProductsResponder
    ) throws -> EventualResponse {
        meter.record(listing.answer, at: now)
        switch listings.encoded(listing) {
        case .ready(let encoded): return try Self.response(to: wanted, from: encoded, listing.answer, by: responder)
        case .pending(let encoding):
            return .pending {
                try await Self.response(to: wanted, from: encoding(), listing.answer, by: responder).response
            }
        }
    }

    private static func response(
        to wanted: ProductsLookup, from encoded: EncodedListing, _ answer: ProductsAnswer,
        by responder: some ProductsResponder
    ) throws -> EventualResponse {
        switch wanted.subject {
        case .products:
            let page = encoded.response(to: wanted.query, wanted.coding.best)
            return try response(to: wanted, with: page, of: encoded, answer, by: responder)
        case .categories(let query):
            let tree = encoded.categories(query, wanted.coding.best)
            return try response(to: wanted, with: tree, of: encoded, answer, by: responder)
        case .product(let id):
            guard let position = encoded.catalogue.position(ofID: id) else { throw responder.missingProduct }
            let product = encoded.product(at: position, wanted.query, wanted.coding.best)
            return try response(to: wanted, with: product, of: encoded, answer, by: responder)
        case .keyed(let key, let value):
            guard let index = encoded.index.made(key: key) else {
                return .pending {
                    await encoded.index.prepareDeclared()
                    return try await Self.response(to: wanted, from: encoded, answer, by: responder).response
                }
            }
            guard let match = index.match(value) else { throw responder.missingProduct }
            var wanted = wanted
            wanted.subject = .found(position: match.position, variant: encoded.index.name(of: match, value))
            return try response(to: wanted, from: encoded, answer, by: responder)
        case .found(let position, let variant):
            let product = encoded.product(at: position, wanted.query, wanted.coding.best)
            return try response(to: wanted, with: product, variant: variant, of: encoded, answer, by: responder)
        }
    }

    private static func response(
        to wanted: ProductsLookup, with found: Eventual<some FoundResponse>, variant: String? = nil,
        of encoded: EncodedListing, _ answer: ProductsAnswer, by responder: some ProductsResponder
    ) throws -> EventualResponse {
        let orNone = wanted.coding.orNone
        switch found {
        case .ready(let found):
            return .ready(
                try responder.respond(
                    to: wanted, with: orNone ? found : found.gzipped, variant: variant, of: encoded, answer))
        case .pending(let make):
            return .pending {
                let found = try await responder.page(of: wanted.request, make)
                return try responder.respond(
                    to: wanted, with: orNone ? found : found.gzipped, variant: variant, of: encoded, answer)
            }
        }
    }
}

/// Keeps the lease of the last answer to each variant of the requests, on each event loop.
///
/// A withdrawn lease is renewed or dropped at once, so that it does not retain its catalogue. Each loop has a row of
/// its own, as far as `ThreadStripe` distinguishes threads, so loops seldom contend for a lock.
final class LeaseTable: Sendable {
    private typealias Row = CacheLinePadded<Mutex<[ProductsLease?]>>

    /// The most variants; a graph with more is asked for every request.
    private static let most = 1024
    private let rows: InlineArray<8, Row>

    /// - Parameter variants: the number of variants of the requests.
    init(variants: Int) {
        let count = variants <= Self.most ? variants : 0
        rows = InlineArray { _ in Row(Mutex(Array(repeating: nil, count: count))) }
    }

    /// The lease for requests of a variant; nil if they have to ask the graph.
    func lease(for variant: Int) -> ProductsLease? {
        rows[ThreadStripe.own].content.withLock { $0.indices.contains(variant) ? $0[variant] : nil }
    }

    /// Keeps the lease that came with the answer to a request of this variant. It replaces another one.
    func keep(_ lease: ProductsLease?, for variant: Int) {
        if let lease { keep(lease, for: variant, in: ThreadStripe.own) }
    }

    private func keep(_ lease: ProductsLease, for variant: Int, in row: Int) {
        // The replaced lease is released outside the lock: it may hold the last reference to a catalogue.
        let replaced = rows[row].content.withLock { leases -> ProductsLease? in
            guard leases.indices.contains(variant) else { return lease }
            defer { leases[variant] = lease }
            return leases[variant]
        }
        guard replaced?.publication !== lease.publication else { return }
        lease.publication.whenReleased { [weak self] in self?.renew(variant, in: row) }
    }

    /// Renews a withdrawn lease, so that a refresh of the catalogue does not send requests to the graph, where they
    /// would fail if all places for waiting requests are taken. Drops the lease if it cannot be renewed.
    private func renew(_ variant: Int, in row: Int) {
        let withdrawn = rows[row].content.withLock { leases -> ProductsLease? in
            guard let lease = leases[variant], !lease.publication.isCurrent else { return nil }
            leases[variant] = nil
            return lease
        }
        if let renewed = withdrawn?.renewed() { keep(renewed, for: variant, in: row) }
    }
}
