internal import Concurrency
internal import HTTPServer
internal import JSON
internal import Products

/// `GET /products/{id}`: one product.
package struct ShowProductHandler: HTTPHandler, ProductsResponder {
    static let path = ListProductsHandler.path

    let cacheControl: CacheControl
    let surrogateKeys: SurrogateKeys?
    private let responses: ResponseCache

    package init(responses: ResponseCache, cacheControl: CacheControl, surrogateKeys: SurrogateKeys? = nil) {
        self.responses = responses
        self.cacheControl = cacheControl
        self.surrogateKeys = surrogateKeys
    }

    var wallClock: WallClock { responses.wallClock }
    var variance: AnswerVariance { responses.consulted.variance }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let wanted = try ProductsLookup(
            request, id: request.pathParameters["id"] ?? "", taking: ProductsQueryParameter.ofOneProduct,
            limits: PageLimits())
        return try responses.response(to: wanted, by: self)
    }

    func respond(
        to wanted: ProductsLookup, with found: some FoundResponse, of encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPResponse {
        try responseByTraits(to: wanted, with: found, of: encoded, answer)
    }
}

extension ShowProductHandler {
    package var description: RouteDescription {
        let id = ParameterDescription(
            name: "id", place: .path, meaning: "The product's id.", schema: Schema.filledText)
        let parameters = ProductsQueryParameter.ofOneProduct.map { $0.described(PageLimits()) }
        return RouteDescription(
            id: "showProduct", summary: "One product",
            parameters: [id] + parameters + responses.consulted.parameters + Preconditions.parameters
                + AcceptedCodings.parameters,
            answers: [
                found, notModified, refused, missing, AcceptedCodings.unacceptable, preconditionFailed, unavailable,
            ], waits: true)
    }

    private var found: ResponseDescription {
        let forms = [ProductSchemas.product, ProductSchemas.displayed, ProductSchemas.part].map { Schema.named($0) }
        return ResponseDescription(
            status: 200, meaning: "The product.", fields: freshFields,
            possibleFields: [.contentEncoding],
            contents: [.init(mediaType: "application/json", schema: Schema.any(of: forms))])
    }

    private var notModified: ResponseDescription {
        ResponseDescription(status: 304, meaning: "The client has it already.", fields: freshFields)
    }

    private var refused: ResponseDescription {
        .problem(
            400, "The path is malformed, or a query parameter is unknown, malformed or given twice.",
            possibleFields: varyingFields)
    }
}
