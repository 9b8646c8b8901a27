package import HTTPServer
package import Products

/// Trait of handlers that refuse requests for products with problems (RFC 9457), and describe these refusals.
protocol ProblemResponding {
    /// The request headers by which refusals vary like the answers in their place.
    var variance: AnswerVariance { get }
}

extension ProblemResponding {
    /// The refusal of a request for a product that is not in the catalogue.
    var missingProduct: ProblemDetails {
        ProblemDetails(status: .notFound, detail: "there is no such product in the catalogue")
    }

    /// The refusal of a request whose `If-Match` or `If-Unmodified-Since` does not hold.
    var otherProducts: ProblemDetails {
        ProblemDetails(
            status: .preconditionFailed, detail: "the products are not those that the request is about")
    }

    /// The header fields of errors that may be answers for another audience.
    var varyingFields: [ResponseHeader] { variance.isNone ? [] : [.vary] }

    var missing: ResponseDescription { .problem(404, "There is no such product.", fields: varyingFields) }

    var preconditionFailed: ResponseDescription {
        .problem(412, "`If-Match` or `If-Unmodified-Since` is about something else.", fields: varyingFields)
    }

    var unavailable: ResponseDescription {
        .problem(503, "There is no catalogue to serve at the moment.", fields: [.retryAfter] + varyingFields)
    }
}

extension ProductsQueryProblem: HTTPResponseError {
    /// 400 with the name of the parameter.
    package var response: HTTPResponse {
        ProblemDetails(status: .badRequest, detail: "\(self)", parameter: parameter).response()
    }
}

extension ProductsFailure: HTTPResponseError {
    /// 503 with the time of the next try: whatever failed, a client can only come back later. The reason is for the log.
    package var response: HTTPResponse {
        let wait = retryAfter ?? .seconds(1)
        var headers = HTTPHeaderBlock()
        headers.append("Retry-After", number: max(1, Int((wait / .seconds(1)).rounded(.up))))
        return ProblemDetails(status: .serviceUnavailable, detail: "no catalogue can be served at the moment")
            .response(headers: headers)
    }
}
