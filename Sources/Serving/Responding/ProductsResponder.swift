package import Concurrency
package import HTTPServer
internal import JSON
package import OpenAPI
internal import Products
package import Querying
internal import Text

/// Trait of types that make a response from a cached representation.
protocol ProductsResponder: ConditionalResponding, FreshnessResponding, PageResponding, Sendable {}

extension ProductsResponder {
    /// The field that names the variant with the key of a lookup, percent-encoded.
    static var variantField: String { ResponseHeader.variant.rawValue }

    /// - Parameter variant: the variant that a key found.
    func respond(
        to wanted: ProductsLookup, with found: some FoundResponse, variant: String?, of encoded: EncodedListing,
        _ answer: ProductsAnswer
    ) throws -> HTTPResponse {
        let form = try form(
            of: found.representation, lastModified: encoded.lastModified, for: wanted.request, else: otherProducts)
        var head = try head(of: found, as: form, from: answer, in: encoded)
        try link(wanted.request, to: found.next, in: &head)
        surrogateKeys?.append(to: &head, revision: encoded.catalogue.revision, id: wanted.id(in: encoded.catalogue))
        if let variant { try head.append(Self.variantField, PercentEncoding.component(variant)) }
        return respond(with: found.representation, as: form, head: head)
    }

    /// The responses with the whole catalogue.
    func whole(_ found: CachedResponse, of encoded: EncodedListing, _ answer: ProductsAnswer) throws -> WholeResponse {
        func response(_ form: ResponseForm) throws -> HTTPResponse {
            var head = try head(of: found, as: form, from: answer, in: encoded)
            surrogateKeys?.append(to: &head, revision: encoded.catalogue.revision)
            return respond(with: found.representation, as: form, head: head)
        }
        return WholeResponse(
            entityTag: found.representation.entityTag, found: try response(.whole(found.representation.coding)),
            notModified: try response(.notModified))
    }
}

/// Responds on the routes of products. Their handlers forward requests to it.
///
/// It belongs to the cache's target, so that the compiler specialises cache and traits for it. A responder in another
/// target would cost each request generic calls.
package final class ProductsRoute: ProductsResponder {
    package static let path = "/products"

    package let responses: ResponseCache
    package let cacheControl: CacheControl
    package let surrogateKeys: SurrogateKeys?
    /// The parameters that the route takes.
    package let known: ProductsQueryParameters
    package let limits: PageLimits
    package let variance: ResponseVariance
    /// The query of requests without one; nil for the whole catalogue.
    private let standing: ReadQuery?
    /// The languages that are negotiated.
    private let languages: [String]
    /// Whether requests without a query get the whole catalogue, whatever their language.
    private let isWhole: Bool
    private let memo = QueryMemo()

    package init(
        responses: ResponseCache, cacheControl: CacheControl, surrogateKeys: SurrogateKeys?,
        taking known: ProductsQueryParameters, limits: PageLimits
    ) {
        self.responses = responses
        self.cacheControl = cacheControl
        self.surrogateKeys = surrogateKeys
        self.known = known
        self.limits = limits
        standing = limits.whenNotGiven.map { ReadQuery(ProductsQuery(limit: $0)) }
        languages = responses.languages
        isWhole = standing == nil && languages.isEmpty
        let variance = responses.consulted.variance
        self.variance = languages.isEmpty ? variance : variance.negotiatingLanguage
    }

    package var wallClock: WallClock { responses.wallClock }

    /// The header parameters that choose a representation.
    package var negotiated: [ParameterDescription] {
        let accepted = ParameterDescription(
            name: "Accept-Language", place: .header,
            meaning: "The languages that the client prefers, for texts that the products have in several: "
                + languages.joined(separator: ", ") + ". Filters and order go by the texts that are stored.",
            schema: Schema.text, example: .string(languages.first ?? ""))
        return AcceptedCodings.parameters + (languages.isEmpty ? [] : [accepted])
    }

    /// The header fields of responses in a language.
    package var languageFields: [ResponseHeader] { languages.isEmpty ? [] : [.contentLanguage] }

    /// Responds with the products that match a request's query.
    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        if isWhole, !request.hasQuery { return try respondWhole(to: request) }
        let wanted = try ProductsLookup(
            request, taking: known, limits: limits, otherwise: standing, in: languages, memo)
        return try responses.response(to: wanted, by: self)
    }

    /// Responds with the whole catalogue: with the last response, for the most part.
    private func respondWhole(to request: HTTPRequest) throws -> EventualResponse {
        let coding = try AcceptedCodings.negotiated(for: request)
        let leased = responses.leased(for: request)
        guard coding.orNone, case .ready(let answer) = leased,
            let kept = try answer.whole(coding.best, make: { try whole($0, of: answer.encoded, answer.answer) })
        else { return try responses.response(to: ProductsLookup(request, coding), from: leased, by: self) }
        guard request.isConditional else { return .ready(kept.found) }
        let outcome = Preconditions.outcome(
            of: request, entityTag: kept.entityTag, lastModified: answer.encoded.lastModified, now: wallClock.now())
        switch outcome {
        case .met: return .ready(kept.found)
        case .notModified: return .ready(kept.notModified)
        case .failed: throw otherProducts
        }
    }

    /// Responds with one product.
    package func respond(to request: HTTPRequest, id: String) throws -> EventualResponse {
        let wanted = try ProductsLookup(
            request, .product(id: id), taking: known, limits: limits, otherwise: standing, in: languages, memo
        )
        return try responses.response(to: wanted, by: self)
    }

    /// Responds with the product that has a value of a declared key.
    package func respond(to request: HTTPRequest, key: String, value: String) throws -> EventualResponse {
        let keys = known.members.keys.map(\.name)
        guard keys.contains(key) else {
            throw ProblemDetails(
                status: .notFound,
                detail:
                    "\"\(TextExcerpt(key, limit: 60))\" is no key; products have \(WordList.enumeration(quoting: keys))"
            )
        }
        let wanted = try ProductsLookup(
            request, .keyed(key, value: value), taking: known, limits: limits, otherwise: standing,
            in: languages, memo)
        return try responses.response(to: wanted, by: self)
    }

    /// Responds with the tree of categories.
    package func respond(to request: HTTPRequest, _ categories: CategoriesQuery) throws -> EventualResponse {
        try responses.response(to: ProductsLookup(request, categories), by: self)
    }
}
