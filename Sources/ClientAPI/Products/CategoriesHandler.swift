internal import HTTPServer
internal import JSON
package import OpenAPI
package import Querying
package import Serving

/// `GET /categories`: the tree of the catalogue's categories, with the number of products in each and below it.
package struct CategoriesHandler: HTTPHandler, QueryReading {
    package static let path = "/categories"

    private let route: ProductsRoute

    package init(
        responses: ResponseCache, cacheControl: CacheControl, surrogateKeys: SurrogateKeys? = nil,
        findable members: FindableMembers = FindableMembers()
    ) {
        route = ProductsRoute(
            responses: responses, cacheControl: cacheControl, surrogateKeys: surrogateKeys,
            taking: ProductsQueryParameters([], of: members), limits: PageLimits())
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        let query = try query(of: request, taking: [Self.under.name, Self.depth.name])
        return try route.respond(
            to: request,
            CategoriesQuery(under: query.text(Self.under.name), depth: query.count(Self.depth.name, in: Self.depths)))
    }
}

extension CategoriesHandler {
    private static let depths = 1...100

    private static let under = ParameterDescription(
        name: "under", place: .query,
        meaning: "The name, id or path of the category whose subcategories are wanted; the roots are without it.",
        schema: Schema.filledText)

    private static let depth = ParameterDescription(
        name: "depth", place: .query, meaning: "How many levels are wanted; all without it.",
        schema: [
            "type": "integer", "minimum": .number(JSONNumber(depths.lowerBound)),
            "maximum": .number(JSONNumber(depths.upperBound)),
        ])

    package var description: RouteDescription {
        RouteDescription(
            id: "listCategories", summary: "The tree of categories",
            details: "`category` of `/products` takes the names and ids.",
            parameters: [Self.under, Self.depth] + route.responses.consulted.parameters + Preconditions.parameters
                + AcceptedCodings.parameters,
            responses: [
                found, notModified, refused, AcceptedCodings.unacceptable, route.preconditionFailed, route.unavailable,
            ], waits: true)
    }

    private var found: ResponseDescription {
        let tree = Schema.object([
            .always("categories", Schema.list(of: Schema.named(ProductSchemas.category)), "by name")
        ])
        return ResponseDescription(
            status: 200, meaning: "The categories.", fields: route.freshFields, possibleFields: [.contentEncoding],
            contents: [.init(mediaType: "application/json", schema: tree)])
    }

    private var notModified: ResponseDescription {
        ResponseDescription(status: 304, meaning: "The client has them already.", fields: route.freshFields)
    }

    private var refused: ResponseDescription {
        .problem(400, "A query parameter is unknown, malformed or given twice.", fields: route.varyingFields)
    }
}
