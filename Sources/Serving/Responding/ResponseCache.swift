package import Concurrency
package import CoreMetrics
internal import FoundationEssentials
package import HTTPServer
package import Products
package import Querying
internal import struct Synchronization.Atomic

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
        try response(to: wanted, from: leased(for: wanted.request), by: responder)
    }

    /// - Parameter leased: see `leased(for:)`.
    func response(
        to wanted: ProductsLookup, from leased: Eventual<LeasedAnswer>?, by responder: some ProductsResponder
    ) throws -> EventualResponse {
        switch leased {
        case .ready(let leased):
            return try Self.response(to: wanted, from: leased.encoded, leased.answer, by: responder)
        case .pending(let leased):
            return .pending {
                let leased = try await leased()
                return try await Self.response(to: wanted, from: leased.encoded, leased.answer, by: responder).response
            }
        case nil:
            return .pending { [self] in
                let listing = try await useCase.products(for: consulted.products(wanted.request))
                leases.keep(listing.answer.lease, for: consulted.variance.variant(of: wanted.request))
                meter.record(listing.answer, at: wallClock.now())
                return try await Self.response(
                    to: wanted, from: listings.encoded(listing).value, listing.answer, by: responder
                ).response
            }
        }
    }

    /// The answer of the lease to a request, with all its effects; ready if its catalogue is encoded. Nil, without any
    /// effect, if the graph has to be asked. The same object answers a loop's requests within a second, unless anything
    /// changes.
    func leased(for request: HTTPRequest) -> Eventual<LeasedAnswer>? {
        let variant = consulted.variance.variant(of: request)
        let now = wallClock.now()
        let second = Int(now.timeIntervalSince1970)
        let generation = listings.generation.load(ordering: .acquiring)
        let kept = leases.kept(for: variant)
        if case .answer(let last) = kept, last.second == second, last.generation == generation,
            last.lease.answers(consulted.products(request), isStale: last.isStale, at: now)
        {
            last.counter.increment()
            return .ready(last)
        }
        guard let lease = kept.lease, let part = lease.part(at: now),
            lease.answers(consulted.products(request), isStale: part.isStale, at: now)
        else { return nil }
        let counter = meter.counter(of: part.answer, at: now)
        counter.increment()
        let leased = { @Sendable encoded in
            LeasedAnswer(part, encoded: encoded, counter: counter, second: second, generation: generation)
        }
        switch listings.encoded(useCase.listing(part.answer)) {
        case .ready(let encoded):
            let made = leased(encoded)
            let end = Date(timeIntervalSince1970: Double(second + 1))
            if meter.counter(of: part.answer, at: end) === counter { leases.keep(made, for: variant) }
            return .ready(made)
        case .pending(let encoding): return .pending { leased(try await encoding()) }
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
        let leased = leases.kept(for: variant).lease?.answer(for: request, at: wallClock.now())
        let listing: ProductsListing
        if let leased {
            listing = useCase.listing(leased)
        } else {
            listing = try await useCase.products(for: request)
            leases.keep(listing.answer.lease, for: variant)
        }
        return (try await listings.encoded(listing).value, listing.answer)
    }

    private static func response(
        to wanted: ProductsLookup, from encoded: EncodedListing, _ answer: ProductsAnswer,
        by responder: some ProductsResponder
    ) throws -> EventualResponse {
        switch wanted.subject {
        case .products:
            let page = encoded.response(to: wanted.query?.query, wanted.coding.best)
            return try response(to: wanted, with: page, of: encoded, answer, by: responder)
        case .categories(let query):
            let tree = encoded.categories(query, wanted.coding.best)
            return try response(to: wanted, with: tree, of: encoded, answer, by: responder)
        case .product(let id):
            guard let position = encoded.catalogue.position(ofID: id) else { throw responder.missingProduct }
            let product = encoded.product(at: position, wanted.query?.query, wanted.coding.best)
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
            let product = encoded.product(at: position, wanted.query?.query, wanted.coding.best)
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
