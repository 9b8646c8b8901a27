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
    private let standing: ProductsQuery?
    /// The languages that are negotiated.
    private let languages: [String]
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
        standing = limits.whenNotGiven.map { ProductsQuery(limit: $0) }
        languages = responses.languages
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
        let wanted = try ProductsLookup(
            request, taking: known, limits: limits, otherwise: standing, in: languages, memo)
        return try responses.response(to: wanted, by: self)
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

/// A request for products, read and negotiated.
struct ProductsLookup: Sendable {
    /// The resource that is wanted. Cases of few requests are indirect, since others copy the size of the largest.
    enum Subject: Sendable {
        /// The products that match the query.
        case products
        case product(id: String)
        /// The product, or the variant, that a declared key identifies.
        indirect case keyed(String, value: String)
        /// The product and the variant that a key found.
        indirect case found(position: Int, variant: String?)
        indirect case categories(CategoriesQuery)
    }

    let request: HTTPRequest
    var subject: Subject
    /// Nil for all products.
    let query: ProductsQuery?
    /// The best coding, and whether the identity coding is acceptable too.
    let coding: (best: ContentCoding, orNone: Bool)

    /// Reads the query of a request, if any, and negotiates coding and language. An unknown parameter is refused, so that a
    /// misspelt filter is noticed.
    /// - Parameters:
    ///   - known: the parameters that the route takes.
    ///   - standing: the query of a request without one.
    ///   - languages: those that are negotiated.
    /// - Throws: `ProductsQueryProblem`, `UnacceptableCodings`, or `HTTPRequestError` when the query cannot be decoded.
    init(
        _ request: HTTPRequest, _ subject: Subject = .products,
        taking known: @autoclosure () -> ProductsQueryParameters, limits: PageLimits,
        otherwise standing: ProductsQuery? = nil, in languages: [String] = [], _ memo: QueryMemo = QueryMemo()
    ) throws {
        self.request = request
        self.subject = subject
        query =
            request.rawQuery == nil && languages.isEmpty
            ? standing
            : try Self.query(of: request, known, limits, otherwise: standing, in: languages, memo)
        coding = try AcceptedCodings.negotiated(for: request)
    }

    private static func query(
        of request: HTTPRequest, _ known: () -> ProductsQueryParameters, _ limits: PageLimits,
        otherwise standing: ProductsQuery?, in languages: [String], _ memo: QueryMemo
    ) throws -> ProductsQuery? {
        var query = standing
        if let text = request.rawQuery {
            query = try memo.query(text) {
                let items = try request.queryItems.lazy.map { (name: $0.name, value: $0.value) }
                return try ProductsQuery(parsing: items, taking: known(), limits: limits)
            }
        }
        if !languages.isEmpty, let header = request.preferences("Accept-Language"),
            let language = AcceptedLanguages(header).choice(of: languages)
        {
            var localized = query ?? ProductsQuery()
            localized.language = language
            query = localized
        }
        return query
    }

    /// Creates a request for the tree of categories.
    init(_ request: HTTPRequest, _ categories: CategoriesQuery) throws {
        self.request = request
        (subject, query) = (.categories(categories), nil)
        coding = try AcceptedCodings.negotiated(for: request)
    }

    /// The id of one product; nil for several.
    func id(in catalogue: Catalogue) -> String? {
        switch subject {
        case .product(let id): id
        case .found(let position, _): catalogue.text(at: position).id
        case .products, .keyed, .categories: nil
        }
    }
}

/// Keeps the queries that a route has read last, since reading one costs more than the rest of a cached response.
final class QueryMemo: Sendable {
    private static let capacity = 256
    /// The longest text that is kept.
    private static let longest = 512

    /// The queries by their texts as they came, compared by their bytes.
    private let kept = Mutex<[ExactText: ProductsQuery]>([:])

    /// Returns the query of a text.
    /// - Parameter read: reads it if it is not kept.
    func query(_ text: String, read: () throws -> ProductsQuery) rethrows -> ProductsQuery {
        guard text.utf8.count <= Self.longest else { return try read() }
        let key = ExactText(text)
        if let query = kept.withLock({ $0[key] }) { return query }
        let query = try read()
        kept.withLock { kept in
            if kept.count == Self.capacity { kept.removeAll(keepingCapacity: true) }
            kept[key] = query
        }
        return query
    }
}
