package import Concurrency
internal import FoundationEssentials
public import HTTPServer
public import Products

/// Answers from an encoded catalogue.
protocol ProductsHandler: HTTPHandler {
    var resource: ProductsResource { get }

    /// Answers from the catalogue that the graph answered with.
    func answer(
        to wanted: ProductsLookup, from encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPAnswer
}

extension ProductsHandler {
    /// Answers immediately where there is a lease and the encoding is at hand; otherwise the graph is asked, and its lease
    /// kept for the next request.
    func answer(to wanted: ProductsLookup) throws -> HTTPAnswer {
        let asked = resource.consulted.products(wanted.request)
        let variant = resource.consulted.variance.variant(of: asked)
        let now = resource.wallClock.now()
        if let leased = resource.leases.lease(for: variant)?.answer(for: asked, at: now) {
            return try answer(to: wanted, from: resource.useCase.listing(leased), at: now)
        }
        return .pending {
            let listing = try await resource.useCase.products(for: asked)
            resource.leases.keep(listing.answer.lease, for: variant)
            return try await answer(to: wanted, from: listing, at: resource.wallClock.now()).response
        }
    }

    private func answer(
        to wanted: ProductsLookup, from listing: ProductsListing, at now: Date
    ) throws -> HTTPAnswer {
        resource.meter.record(listing.answer, at: now)
        switch resource.listings.encoded(listing) {
        case .ready(let encoded): return try answer(to: wanted, from: encoded, listing.answer)
        case .pending(let encoding):
            return .pending { try await answer(to: wanted, from: encoding(), listing.answer).response }
        }
    }

    /// The query of a request; nil when there is none, as in most requests, which then cost nothing here. An unknown
    /// parameter is refused instead of ignored, so that a misspelt filter is noticed.
    /// - Throws: `ProductsQueryProblem`, or `HTTPRequestError` when the query cannot be decoded.
    func productsQuery(
        of request: HTTPRequest, taking known: [ProductsQueryParameter] = ProductsQueryParameter.allCases,
        limits: PageLimits
    ) throws -> ProductsQuery? {
        guard request.rawQuery != nil else { return nil }
        let items = try request.queryItems.lazy.map { (name: $0.name, value: $0.value) }
        return try ProductsQuery(parsing: items, taking: known, limits: limits)
    }
}

/// The parts that the routes of products share.
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
}

/// A request for products, read and negotiated.
struct ProductsLookup: Sendable {
    let request: HTTPRequest
    /// Nil for all products.
    let query: ProductsQuery?
    /// The best coding, and whether the bytes as they are will do as well.
    let coding: (best: ContentCoding, orNone: Bool)
}

extension ProductsQueryProblem: HTTPResponseError {
    /// 400 with the name of the parameter.
    public var response: HTTPResponse {
        ProblemDetails(status: .badRequest, detail: "\(self)", parameter: parameter).response()
    }
}

extension ProductsFailure: HTTPResponseError {
    /// 503 with the time of the next try: whatever failed, a client can only come back later. The reason is for the log.
    public var response: HTTPResponse {
        let wait = retryAfter ?? .seconds(1)
        var headers = HTTPHeaderBlock()
        headers.append("Retry-After", number: max(1, Int((wait / .seconds(1)).rounded(.up))))
        return ProblemDetails(status: .serviceUnavailable, detail: "no catalogue can be served at the moment")
            .response(headers: headers)
    }
}
