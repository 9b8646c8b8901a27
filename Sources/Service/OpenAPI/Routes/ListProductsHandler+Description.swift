internal import JSON
internal import Products

extension ListProductsHandler {
    /// What the route does.
    var description: RouteDescription {
        let parameters = ProductsQueryParameter.allCases.map { $0.described(limits) }
        return RouteDescription(
            id: "listProducts", summary: "The catalogue, or what a query finds in it",
            details: "A product is found when it passes all filters. A parameter that is unknown or malformed is "
                + "refused.",
            parameters: parameters + resource.consulted.parameters + Preconditions.parameters + Self.codings,
            answers: [found, notModified, refused, Self.unacceptable, replaced, changed, unavailable], waits: true)
    }

    private var found: AnswerDescription {
        let pages = [PageSchemas.whole, PageSchemas.displayed, PageSchemas.parts].map { Schema.named($0) }
        return AnswerDescription(
            status: 200, meaning: "The products.", fields: freshFields, possibleFields: [.link, .contentEncoding],
            contents: [.init(mediaType: "application/json", schema: Schema.any(of: pages))],
            links: [
                "next": Self.link(to: "listProducts", with: Self.parametersOfNext),
                "product": Self.link(to: "showProduct", with: ["id": "$response.body#/products/0/id"]),
            ])
    }

    private var notModified: AnswerDescription {
        AnswerDescription(
            status: 304, meaning: "The client has them already.", fields: freshFields, possibleFields: [.link])
    }

    private var refused: AnswerDescription {
        .problem(
            400, "A query parameter is unknown, malformed or given twice, which `parameter` names.",
            fields: varyingFields)
    }

    private var replaced: AnswerDescription {
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
