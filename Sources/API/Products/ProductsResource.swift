package import Concurrency
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
    }

    /// Answers immediately where the catalogue and its encoding are at hand.
    func answer(to wanted: ProductsLookup, by responder: some ProductsResponder) throws -> HTTPAnswer {
        let asked = consulted.products(wanted.request)
        if let listing = try useCase.productsAtHand(for: asked) {
            return try answer(to: wanted, from: listing, by: responder)
        }
        return .pending {
            let listing = try await RequestIdentity.$current.withValue(asked.source) {
                try await useCase.products(for: asked)
            }
            return try await answer(to: wanted, from: listing, by: responder).response
        }
    }

    private func answer(
        to wanted: ProductsLookup, from listing: ProductsListing, by responder: some ProductsResponder
    ) throws -> HTTPAnswer {
        meter.record(listing.answer)
        if let encoded = listings.kept(listing) {
            return try responder.answer(to: wanted, from: encoded, listing.answer)
        }
        return .pending {
            let encoded = await listings.encoded(listing)
            return try await responder.answer(to: wanted, from: encoded, listing.answer).response
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
