internal import JSON
internal import Products

extension ShowProductHandler {
    /// What the route does.
    var description: RouteDescription {
        let id = ParameterDescription(
            name: "id", place: .path, meaning: "The product's id.", schema: Schema.filledText)
        let parameters = ProductsQueryParameter.ofOneProduct.map { $0.described(PageLimits()) }
        return RouteDescription(
            id: "showProduct", summary: "One product",
            parameters: [id] + parameters + resource.consulted.parameters + Preconditions.parameters + Self.codings,
            answers: [found, notModified, refused, missing, Self.unacceptable, changed, unavailable], waits: true)
    }

    private var found: AnswerDescription {
        let forms = [ProductSchemas.product, ProductSchemas.displayed, ProductSchemas.part].map { Schema.named($0) }
        return AnswerDescription(
            status: 200, meaning: "The product.", fields: freshFields,
            possibleFields: [.contentEncoding],
            contents: [.init(mediaType: "application/json", schema: Schema.any(of: forms))])
    }

    private var notModified: AnswerDescription {
        AnswerDescription(status: 304, meaning: "The client has it already.", fields: freshFields)
    }

    private var refused: AnswerDescription {
        .problem(
            400, "The path is malformed, or a query parameter is unknown, malformed or given twice.",
            possibleFields: varyingFields)
    }

    private var missing: AnswerDescription {
        .problem(404, "There is no such product.", fields: varyingFields)
    }
}
