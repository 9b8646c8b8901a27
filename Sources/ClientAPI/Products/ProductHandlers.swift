internal import HTTPServer
internal import JSON
package import OpenAPI
internal import Products
package import Querying
package import Serving

/// `GET /products`: the whole catalogue, or the products that match a query.
package struct ListProductsHandler: HTTPHandler {
    package static let path = ProductsRoute.path

    private let route: ProductsRoute

    package init(
        responses: ResponseCache, cacheControl: CacheControl, surrogateKeys: SurrogateKeys? = nil, limits: PageLimits,
        findable members: FindableMembers = FindableMembers()
    ) {
        route = ProductsRoute(
            responses: responses, cacheControl: cacheControl, surrogateKeys: surrogateKeys,
            taking: ProductsQueryParameters(of: members), limits: limits)
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse { try route.respond(to: request) }
}

extension ListProductsHandler {
    package var description: RouteDescription {
        let parameters = route.known.described(route.limits)
        return RouteDescription(
            id: "listProducts", summary: "The catalogue, or the products that match a query",
            details: "A product matches if it passes all filters. A parameter that is unknown or malformed is "
                + "refused.",
            parameters: parameters + route.responses.consulted.parameters + Preconditions.parameters
                + route.negotiated,
            responses: [
                found, notModified, refused, AcceptedCodings.unacceptable, route.replaced, route.preconditionFailed,
                route.unavailable,
            ], waits: true)
    }

    private var found: ResponseDescription {
        let pages = [ProductSchemas.page, ProductSchemas.displayedPage, ProductSchemas.partPage].map {
            Schema.named($0)
        }
        return ResponseDescription(
            status: 200, meaning: "The products.", fields: route.freshFields,
            possibleFields: [.link, .contentEncoding] + route.languageFields,
            contents: [.init(mediaType: "application/json", schema: Schema.any(of: pages))],
            links: [
                "next": Self.link(to: "listProducts", with: parametersOfNext),
                "product": Self.link(to: "showProduct", with: ["id": "$response.body#/products/0/id"]),
            ])
    }

    private var notModified: ResponseDescription {
        ResponseDescription(
            status: 304, meaning: "The client has them already.", fields: route.freshFields, possibleFields: [.link])
    }

    private var refused: ResponseDescription {
        .problem(
            400, "A query parameter is unknown, malformed or given twice, which `parameter` names.",
            fields: route.varyingFields)
    }

    /// A cursor is valid only with its query.
    private var parametersOfNext: JSONObject {
        let cursor = ProductsQueryParameter.cursor.rawValue
        return JSONObject(
            route.known.names.map { name in
                (name, name == cursor ? "$response.body#/next" : .string("$request.query.\(name)"))
            })
    }

    private static func link(to operation: String, with parameters: JSONObject) -> JSONValue {
        .object(["operationId": .string(operation), "parameters": .object(parameters)])
    }
}

/// `GET /products/{id}`: one product.
package struct ShowProductHandler: HTTPHandler {
    private let route: ProductsRoute

    package init(responses: ResponseCache, cacheControl: CacheControl, surrogateKeys: SurrogateKeys? = nil) {
        route = ProductsRoute(
            responses: responses, cacheControl: cacheControl, surrogateKeys: surrogateKeys,
            taking: ProductsQueryParameters(ProductsQueryParameter.ofOneProduct), limits: PageLimits())
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        try route.respond(to: request, id: request.pathParameters["id"] ?? "")
    }
}

extension ShowProductHandler {
    package var description: RouteDescription {
        let id = ParameterDescription(
            name: "id", place: .path, meaning: "The product's id.", schema: Schema.filledText)
        let parameters = route.known.described(route.limits)
        return RouteDescription(
            id: "showProduct", summary: "One product",
            parameters: [id] + parameters + route.responses.consulted.parameters + Preconditions.parameters
                + route.negotiated,
            responses: route.oneProduct(), waits: true)
    }
}

extension ProductsRoute {
    /// The responses of a route with one product.
    /// - Parameter possible: the header fields that some 200 and 304 have besides the usual ones.
    func oneProduct(possible: [ResponseHeader] = []) -> [ResponseDescription] {
        let forms = [ProductSchemas.product, ProductSchemas.displayed, ProductSchemas.part].map { Schema.named($0) }
        let found = ResponseDescription(
            status: 200, meaning: "The product.", fields: freshFields,
            possibleFields: [.contentEncoding] + possible + languageFields,
            contents: [.init(mediaType: "application/json", schema: Schema.any(of: forms))])
        let notModified = ResponseDescription(
            status: 304, meaning: "The client has it already.", fields: freshFields, possibleFields: possible)
        let refused = ResponseDescription.problem(
            400, "The path is malformed, or a query parameter is unknown, malformed or given twice.",
            possibleFields: varyingFields)
        return [
            found, notModified, refused, missing, AcceptedCodings.unacceptable, preconditionFailed, unavailable,
        ]
    }
}
