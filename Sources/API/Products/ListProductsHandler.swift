internal import HTTPServer
internal import JSON
package import Products

/// `GET /products`: the whole catalogue, or what a query finds in it.
package struct ListProductsHandler: ProductsHandler {
    package static let path = "/products"

    let resource: ProductsResource
    let limits: PageLimits
    /// The query of requests without one; nil for the whole catalogue.
    private let standing: ProductsQuery?

    package init(resource: ProductsResource, limits: PageLimits) {
        self.resource = resource
        self.limits = limits
        standing = limits.whenNotGiven.map { ProductsQuery(limit: $0) }
    }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let query = try productsQuery(of: request, limits: limits) ?? standing
        let coding = try AcceptedCodings.negotiated(for: request)
        return try answer(to: ProductsLookup(request: request, query: query, coding: coding))
    }

    func answer(
        to wanted: ProductsLookup, from encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPAnswer {
        switch encoded.answer(to: wanted.query, wanted.coding.best) {
        case .ready(let products): .ready(try respond(to: wanted, with: products, encoded, answer))
        case .pending(let find): .pending { try respond(to: wanted, with: await found(wanted, find), encoded, answer) }
        }
    }

    private func respond(
        to wanted: ProductsLookup, with products: CachedResponse, _ encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPResponse {
        let products = wanted.coding.orNone ? products : products.gzipped
        let form = try form(of: products.representation, lastModified: encoded.lastModified, for: wanted.request)
        var head = try head(of: products, as: form, from: answer, lastModified: encoded.lastModified)
        if let next = products.next {
            try head.append("Link", try PageLinks(wanted.request, path: Self.path).next(next))
        }
        return respond(with: products.representation, as: form, head: head)
    }

    private func found(
        _ wanted: ProductsLookup, _ find: () async throws -> CachedResponse
    ) async throws -> CachedResponse {
        do {
            return try await find()
        } catch PageCursorProblem.ofAnotherRevision {
            throw StaleCursor(firstPage: try PageLinks(wanted.request, path: Self.path).first)
        } catch let problem as PageCursorProblem {
            throw ProductsQueryProblem.cursor(problem)
        }
    }
}

extension ListProductsHandler {
    package var description: RouteDescription {
        let parameters = ProductsQueryParameter.allCases.map { $0.described(limits) }
        return RouteDescription(
            id: "listProducts", summary: "The catalogue, or what a query finds in it",
            details: "A product is found when it passes all filters. A parameter that is unknown or malformed is "
                + "refused.",
            parameters: parameters + resource.consulted.parameters + Preconditions.parameters
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

    private var replaced: ResponseDescription {
        .problem(
            410, "The cursor belongs to a catalogue that has been replaced; `Link` leads to the first page.",
            fields: [.link] + varyingFields)
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
