internal import Concurrency
internal import HTTPServer
internal import JSON
package import Products

/// `GET /products`: the whole catalogue, or what a query finds in it.
package struct ListProductsHandler: HTTPHandler, ProductsResponder, ConditionalResponding, FreshnessResponding,
    PageResponding
{
    package static let path = "/products"

    private let resource: ProductsResource
    private let limits: PageLimits
    /// The query of requests without one; nil for the whole catalogue.
    private let standing: ProductsQuery?

    package init(resource: ProductsResource, limits: PageLimits) {
        self.resource = resource
        self.limits = limits
        standing = limits.whenNotGiven.map { ProductsQuery(limit: $0) }
    }

    var wallClock: WallClock { resource.wallClock }
    var cacheControl: CacheControl { resource.cacheControl }
    var variance: AnswerVariance { resource.consulted.variance }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let wanted = try ProductsLookup(
            request, taking: ProductsQueryParameter.allCases, limits: limits, otherwise: standing)
        return try resource.answer(to: wanted, by: self)
    }

    func answer(
        to wanted: ProductsLookup, from encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPAnswer {
        switch encoded.answer(to: wanted.query, wanted.coding.best) {
        case .ready(let products): .ready(try respond(to: wanted, with: products, encoded, answer))
        case .pending(let make):
            .pending { try respond(to: wanted, with: await page(of: wanted.request, make), encoded, answer) }
        }
    }

    private func respond(
        to wanted: ProductsLookup, with products: CachedResponse, _ encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPResponse {
        let products = wanted.coding.orNone ? products : products.gzipped
        let form = try form(
            of: products.representation, lastModified: encoded.lastModified, for: wanted.request, else: otherProducts)
        var head = try head(of: products, as: form, from: answer, lastModified: encoded.lastModified)
        try link(wanted.request, to: products.next, in: &head)
        return respond(with: products.representation, as: form, head: head)
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
