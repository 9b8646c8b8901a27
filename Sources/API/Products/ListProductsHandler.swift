internal import Concurrency
internal import HTTPServer
internal import JSON
package import Products

/// `GET /products`: the whole catalogue, or what a query finds in it.
package struct ListProductsHandler: HTTPHandler, ProductsResponder {
    package static let path = "/products"

    let cacheControl: CacheControl
    let surrogateKeys: SurrogateKeys?
    private let responses: ResponseCache
    private let limits: PageLimits
    /// The query of requests without one; nil for the whole catalogue.
    private let standing: ProductsQuery?

    package init(
        responses: ResponseCache, cacheControl: CacheControl, surrogateKeys: SurrogateKeys? = nil, limits: PageLimits
    ) {
        self.responses = responses
        self.cacheControl = cacheControl
        self.surrogateKeys = surrogateKeys
        self.limits = limits
        standing = limits.whenNotGiven.map { ProductsQuery(limit: $0) }
    }

    var wallClock: WallClock { responses.wallClock }
    var variance: AnswerVariance { responses.consulted.variance }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let wanted = try ProductsLookup(
            request, taking: ProductsQueryParameter.allCases, limits: limits, otherwise: standing)
        return try responses.response(to: wanted, by: self)
    }

    func respond(
        to wanted: ProductsLookup, with found: some FoundResponse, of encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPResponse {
        try responseByTraits(to: wanted, with: found, of: encoded, answer)
    }
}

extension ListProductsHandler {
    package var description: RouteDescription {
        let parameters = ProductsQueryParameter.allCases.map { $0.described(limits) }
        return RouteDescription(
            id: "listProducts", summary: "The catalogue, or what a query finds in it",
            details: "A product is found when it passes all filters. A parameter that is unknown or malformed is "
                + "refused.",
            parameters: parameters + responses.consulted.parameters + Preconditions.parameters
                + AcceptedCodings.parameters,
            answers: [
                found, notModified, refused, AcceptedCodings.unacceptable, replaced, preconditionFailed, unavailable,
            ], waits: true)
    }

    private var found: ResponseDescription {
        let pages = [ProductSchemas.page, ProductSchemas.displayedPage, ProductSchemas.partPage].map {
            Schema.named($0)
        }
        return ResponseDescription(
            status: 200, meaning: "The products.", fields: freshFields, possibleFields: [.link, .contentEncoding],
            contents: [.init(mediaType: "application/json", schema: Schema.any(of: pages))],
            links: [
                "next": Self.link(to: "listProducts", with: Self.parametersOfNext),
                "product": Self.link(to: "showProduct", with: ["id": "$response.body#/products/0/id"]),
            ])
    }

    private var notModified: ResponseDescription {
        ResponseDescription(
            status: 304, meaning: "The client has them already.", fields: freshFields, possibleFields: [.link])
    }

    private var refused: ResponseDescription {
        .problem(
            400, "A query parameter is unknown, malformed or given twice, which `parameter` names.",
            fields: varyingFields)
    }

    /// A cursor goes with the query that it came from.
    private static let parametersOfNext = JSONObject(
        ProductsQueryParameter.allCases.map { parameter in
            let name = parameter.rawValue
            return (name, parameter == .cursor ? "$response.body#/next" : .string("$request.query.\(name)"))
        })

    private static func link(to operation: String, with parameters: JSONObject) -> JSONValue {
        .object(["operationId": .string(operation), "parameters": .object(parameters)])
    }
}

/// Trait of handlers that respond with one page of many or a part of it, and link to others (RFC 8288).
protocol PageResponding: ProblemResponding {
    /// The path of all pages.
    static var path: String { get }
}

extension PageResponding {
    /// Makes a page of the request's query.
    /// - Throws: `StaleCursor` and `ProductsQueryProblem` in the place of a `PageCursorProblem` of `make`.
    func page<Page>(of request: HTTPRequest, _ make: () async throws -> Page) async throws -> Page {
        do {
            return try await make()
        } catch PageCursorProblem.ofAnotherRevision {
            throw StaleCursor(firstPage: try PageLinks(request, path: Self.path).first)
        } catch let problem as PageCursorProblem {
            throw ProductsQueryProblem.cursor(problem)
        }
    }

    /// Adds the link to the next page, if there is one.
    func link(_ request: HTTPRequest, to next: String?, in head: inout HTTPHeaderBlock) throws {
        guard let next else { return }
        try head.append("Link", try PageLinks(request, path: Self.path).next(next))
    }

    var replaced: ResponseDescription {
        .problem(
            410, "The cursor belongs to a catalogue that has been replaced; `Link` leads to the first page.",
            fields: [.link] + varyingFields)
    }
}

/// Links (RFC 8288) to other pages of a query, as values of a `Link` header.
struct PageLinks: Sendable {
    private let path: String
    /// The parameters of the query without the cursor.
    private let items: [HTTPQueryItem]

    init(_ request: HTTPRequest, path: String) throws(HTTPRequestError) {
        self.path = path
        items = try request.queryItems.filter { $0.name != ProductsQueryParameter.cursor.rawValue }
    }

    var first: String { link(to: items, relation: "first") }

    func next(_ cursor: String) -> String {
        link(
            to: items + [HTTPQueryItem(name: ProductsQueryParameter.cursor.rawValue, value: cursor)], relation: "next")
    }

    private func link(to items: [HTTPQueryItem], relation: String) -> String {
        let query = items.map(\.encoded).joined(separator: "&")
        return "<\(path)\(query.isEmpty ? "" : "?\(query)")>; rel=\"\(relation)\""
    }
}

/// A cursor of a catalogue that was replaced: the client has to begin again.
struct StaleCursor: HTTPResponseError {
    /// The value of a `Link` header to the first page.
    let firstPage: String

    /// 410, because no later request for that page can succeed.
    var response: HTTPResponse {
        let problem = ProductsQueryProblem.cursor(.ofAnotherRevision)
        let gone = ProblemDetails(status: .gone, detail: "\(problem)", parameter: problem.parameter)
        var headers = HTTPHeaderBlock()
        do { try headers.append("Link", firstPage) } catch { return HTTPResponse(for: error) }
        return gone.response(headers: headers)
    }
}
