internal import Concurrency
internal import HTTPServer
internal import JSON
internal import Products

/// `GET /products/{id}`: one product.
package struct ShowProductHandler: HTTPHandler, ProductsResponder, ConditionalResponding, FreshnessResponding,
    ProblemResponding
{
    private let resource: ProductsResource

    package init(resource: ProductsResource) {
        self.resource = resource
    }

    var wallClock: WallClock { resource.wallClock }
    var cacheControl: CacheControl { resource.cacheControl }
    var variance: AnswerVariance { resource.consulted.variance }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let wanted = try ProductsLookup(
            request, taking: ProductsQueryParameter.ofOneProduct, limits: PageLimits())
        return try resource.answer(to: wanted, by: self)
    }

    func answer(
        to wanted: ProductsLookup, from encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPAnswer {
        guard let id = wanted.request.pathParameters["id"], let position = encoded.catalogue.position(ofID: id) else {
            throw missingProduct
        }
        let (query, coding) = (wanted.query, wanted.coding.best)
        return switch encoded.product(at: position, query, coding) {
        case .ready(let product): .ready(try respond(to: wanted, with: product, encoded, answer))
        case .pending(let make): .pending { try respond(to: wanted, with: await make(), encoded, answer) }
        }
    }

    private func respond(
        to wanted: ProductsLookup, with product: Representation, _ encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPResponse {
        let product = wanted.coding.orNone ? product : product.gzipped
        let form = try form(
            of: product, lastModified: encoded.lastModified, for: wanted.request, else: otherProducts)
        let head = try head(
            of: product, as: form, from: answer, lastModified: encoded.lastModified, sharing: encoded.partMemo)
        return respond(with: product, as: form, head: head)
    }
}

extension ShowProductHandler {
    package var description: RouteDescription {
        let id = ParameterDescription(
            name: "id", place: .path, meaning: "The product's id.", schema: Schema.filledText)
        let parameters = ProductsQueryParameter.ofOneProduct.map { $0.described(PageLimits()) }
        return RouteDescription(
            id: "showProduct", summary: "One product",
            parameters: [id] + parameters + resource.consulted.parameters + Preconditions.parameters
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
