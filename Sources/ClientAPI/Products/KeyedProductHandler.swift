internal import HTTPServer
internal import JSON
package import OpenAPI
package import Querying
package import Serving

/// `GET /products/by/{key}/{value}`: the product, or the product of the variant, with a value of a declared key.
package struct KeyedProductHandler: HTTPHandler {
    private let route: ProductsRoute

    package init(
        responses: ResponseCache, cacheControl: CacheControl, surrogateKeys: SurrogateKeys? = nil,
        findable members: FindableMembers
    ) {
        route = ProductsRoute(
            responses: responses, cacheControl: cacheControl, surrogateKeys: surrogateKeys,
            taking: ProductsQueryParameters(ProductsQueryParameter.ofOneProduct, of: members), limits: PageLimits())
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        try route.respond(
            to: request, key: request.pathParameters["key"] ?? "", value: request.pathParameters["value"] ?? "")
    }
}

extension KeyedProductHandler {
    package var description: RouteDescription {
        let names = route.known.members.keys.map(\.name)
        let key = ParameterDescription(
            name: "key", place: .path, meaning: "The name of the key.", schema: Schema.choice(of: names))
        let value = ParameterDescription(
            name: "value", place: .path, meaning: "The value of the key.", schema: Schema.filledText)
        return RouteDescription(
            id: "showProductByKey", summary: "The product with a key",
            details:
                "`\(ResponseHeader.variant.rawValue)` names the variant that has the key, percent-encoded; without it the "
                + "product itself has it.",
            parameters: [key, value] + route.known.described(route.limits) + route.responses.consulted.parameters
                + Preconditions.parameters + route.negotiated,
            responses: route.oneProduct(possible: [.variant]), waits: true)
    }
}
