internal import HTTPServer
internal import Products

/// `GET /products/{id}`: one product.
struct ShowProductHandler: ProductsHandler, ConditionalResponding, FreshnessResponding, CodingNegotiating,
    ProductsQueryReading
{
    let resource: ProductsResource

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let query = try productsQuery(
            of: request, taking: ProductsQueryParameter.ofOneProduct, limits: PageLimits())
        return try answer(to: WantedProducts(request: request, query: query, coding: coding(for: request)))
    }

    func answer(
        to wanted: WantedProducts, from encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPAnswer {
        guard let id = wanted.request.pathParameters["id"], let position = encoded.catalogue.position(ofID: id) else {
            throw ProblemDetails(status: .notFound, detail: "there is no such product in the catalogue")
        }
        let (query, coding) = (wanted.query, wanted.coding.best)
        if let product = encoded.keptProduct(at: position, query, coding) {
            return .ready(try respond(to: wanted, with: product, encoded, answer))
        }
        return .pending {
            let product = try await encoded.product(at: position, query, coding)
            return try respond(to: wanted, with: product, encoded, answer)
        }
    }

    private func respond(
        to wanted: WantedProducts, with product: Representation, _ encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPResponse {
        let product = wanted.coding.orNone ? product : product.gzipped
        let form = try form(of: product, lastModified: encoded.lastModified, for: wanted.request)
        let head = try head(
            of: product, as: form, from: answer, lastModified: encoded.lastModified, sharing: encoded.partMemo)
        return respond(with: product, as: form, head: head)
    }
}
