package import Concurrency
internal import FoundationEssentials
internal import HTTPServer
package import Products
internal import Tracing

/// Responds from an encoded catalogue: the strategy by which the routes of a `ProductsResource` differ.
protocol ProductsResponder: Sendable {
    /// Answers from the catalogue that the graph answered with.
    func answer(
        to wanted: ProductsLookup, from encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPAnswer
}

/// The parts that the routes of products share, and the way from a request to the encoded catalogue that they share.
package struct ProductsResource: Sendable {
    let useCase: ProductsUseCase
    let meter: AnswerMeter
    let listings: ListingCache
    let consulted: ConsultedHeaders
    let cacheControl: CacheControl
    let wallClock: WallClock
    let leases: LeaseTable

    package init(
        useCase: ProductsUseCase, meter: AnswerMeter, listings: ListingCache, consulted: ConsultedHeaders,
        cacheControl: CacheControl, wallClock: WallClock
    ) {
        self.useCase = useCase
        self.meter = meter
        self.listings = listings
        self.consulted = consulted
        self.cacheControl = cacheControl
        self.wallClock = wallClock
        leases = LeaseTable(variants: consulted.variance.variants)
    }

    /// Answers immediately where there is a lease and the encoding is ready; otherwise the graph is asked, and its lease
    /// kept for the next request.
    func answer(to wanted: ProductsLookup, by responder: some ProductsResponder) throws -> HTTPAnswer {
        let asked = consulted.products(wanted.request)
        let variant = consulted.variance.variant(of: asked)
        let now = wallClock.now()
        if let leased = leases.lease(for: variant)?.answer(for: asked, at: now, cause: wanted.request) {
            return try answer(to: wanted, from: useCase.listing(leased), at: now, by: responder)
        }
        return .pending {
            let listing = try await RequestIdentity.$current.withValue(wanted.request) {
                try await useCase.products(for: asked)
            }
            leases.keep(listing.answer.lease, for: variant)
            return try await answer(to: wanted, from: listing, at: wallClock.now(), by: responder).response
        }
    }

    private func answer(
        to wanted: ProductsLookup, from listing: ProductsListing, at now: Date, by responder: some ProductsResponder
    ) throws -> HTTPAnswer {
        meter.record(listing.answer, at: now)
        switch listings.encoded(listing) {
        case .ready(let encoded): return try responder.answer(to: wanted, from: encoded, listing.answer)
        case .pending(let encoding):
            return .pending { try await responder.answer(to: wanted, from: encoding(), listing.answer).response }
        }
    }
}

/// A request for products, read and negotiated.
struct ProductsLookup: Sendable {
    let request: HTTPRequest
    /// Nil for all products.
    let query: ProductsQuery?
    /// The best coding, and whether the bytes as they are will do as well.
    let coding: (best: ContentCoding, orNone: Bool)

    /// Reads the query of a request, which most requests do not have, and negotiates the coding. An unknown parameter is
    /// refused instead of ignored, so that a misspelt filter is noticed.
    /// - Parameters:
    ///   - known: the parameters that the route takes.
    ///   - standing: the query of a request without one.
    /// - Throws: `ProductsQueryProblem`, `UnacceptableCodings`, or `HTTPRequestError` when the query cannot be decoded.
    init(
        _ request: HTTPRequest, taking known: @autoclosure () -> [ProductsQueryParameter], limits: PageLimits,
        otherwise standing: ProductsQuery? = nil
    ) throws {
        self.request = request
        if request.rawQuery == nil {
            query = standing
        } else {
            let items = try request.queryItems.lazy.map { (name: $0.name, value: $0.value) }
            query = try ProductsQuery(parsing: items, taking: known(), limits: limits)
        }
        coding = try AcceptedCodings.negotiated(for: request)
    }
}
