package import Concurrency
package import HTTPServer
internal import JSON
package import OpenAPI
package import Products
package import Querying

/// Trait of handlers that respond to conditional requests (RFC 9110, 13).
package protocol ConditionalResponding {
    /// The clock for reading dates with two-digit years; used only if there is a date.
    var wallClock: WallClock { get }
}

extension ConditionalResponding {
    /// Evaluates the preconditions of a request.
    /// - Throws: `refusal`, a problem with status 412, if one of them does not hold.
    package func form(
        of representation: Representation, lastModified: LastModified, for request: HTTPRequest,
        else refusal: @autoclosure () -> ProblemDetails
    ) throws(ProblemDetails) -> ResponseForm {
        let outcome = Preconditions.outcome(
            of: request, entityTag: representation.entityTag, lastModified: lastModified, now: wallClock.now())
        switch outcome {
        case .met: return .whole(representation.coding)
        case .notModified: return .notModified
        case .failed: throw refusal()
        }
    }

    package func respond(
        with representation: Representation, as form: ResponseForm, head: HTTPHeaderBlock
    ) -> HTTPResponse {
        switch form {
        case .whole: HTTPResponse(status: .ok, headers: head, body: representation.body)
        case .notModified: HTTPResponse(status: .notModified, headers: head)
        }
    }
}

extension Preconditions {
    /// The parameters of operations that evaluate preconditions.
    package static let parameters = [
        condition(
            "If-None-Match", "The `ETag`s of the client's copies, or `*`: 304 if one is still current.", tag),
        condition("If-Modified-Since", "The `Last-Modified` of the client's copy.", date),
        condition(
            "If-Match", "The `ETag`s that the client expects, or `*`: 412 if none is current.", "*"),
        condition("If-Unmodified-Since", "The `Last-Modified` that the client expects.", laterDate),
    ]

    private static let tag = #""none", W/"other""#
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let laterDate = "Fri, 31 Dec 2999 23:59:59 GMT"

    private static func condition(_ name: String, _ meaning: String, _ example: String) -> ParameterDescription {
        ParameterDescription(
            name: name, place: .header, meaning: meaning, schema: Schema.text, example: .string(example))
    }
}

extension AcceptedCodings {
    /// The best coding for a request, and whether the identity coding is acceptable too.
    /// - Throws: `UnacceptableCodings`.
    package static func negotiated(
        for request: HTTPRequest
    ) throws(UnacceptableCodings) -> (best: ContentCoding, orNone: Bool) {
        guard let header = request.preferences("Accept-Encoding") else { return (.identity, true) }
        switch AcceptedCodings(header).choice {
        case .identity: return (.identity, true)
        case .gzip(let orIdentity): return (.gzip, orIdentity)
        case .nothing: throw UnacceptableCodings()
        }
    }

    /// The parameters of operations that negotiate the coding.
    package static let parameters = [
        ParameterDescription(
            name: "Accept-Encoding", place: .header, meaning: "Whether the answer may be in gzip.",
            schema: Schema.text, example: "gzip;q=1, identity;q=0.5")
    ]

    /// The response of such operations to requests that exclude all codings.
    package static let unacceptable = ResponseDescription.problem(
        406, "`Accept-Encoding` excludes every coding that there is.", fields: [.vary])
}

/// A request whose `Accept-Encoding` excludes gzip and identity.
package struct UnacceptableCodings: HTTPResponseError {
    /// 406 with `Vary: Accept-Encoding`.
    package var response: HTTPResponse {
        ProblemDetails(
            status: .notAcceptable,
            detail: "products are sent as they are or in gzip, and \"Accept-Encoding\" excludes both"
        ).response(headers: ["Vary": "Accept-Encoding"])
    }
}

/// Trait of handlers that refuse requests for products with problems (RFC 9457), and describe these refusals.
package protocol ProblemResponding {
    /// The request headers by which refusals vary, as the other responses do.
    var variance: ResponseVariance { get }
}

extension ProblemResponding {
    /// The refusal of a request for a product that is not in the catalogue.
    package var missingProduct: ProblemDetails {
        ProblemDetails(status: .notFound, detail: "there is no such product in the catalogue")
    }

    /// The refusal of a request whose `If-Match` or `If-Unmodified-Since` does not hold.
    package var otherProducts: ProblemDetails {
        ProblemDetails(
            status: .preconditionFailed, detail: "the products do not match the condition of the request")
    }

    /// The header fields of errors that another audience may not get.
    package var varyingFields: [ResponseHeader] { variance.isNone ? [] : [.vary] }

    package var missing: ResponseDescription { .problem(404, "There is no such product.", fields: varyingFields) }

    package var preconditionFailed: ResponseDescription {
        .problem(412, "`If-Match` or `If-Unmodified-Since` does not hold.", fields: varyingFields)
    }

    package var unavailable: ResponseDescription {
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
    /// 503 with the time of the next try. The reason is only logged, since a client can only retry later.
    package var response: HTTPResponse {
        let wait = retryAfter ?? .seconds(1)
        var headers = HTTPHeaderBlock()
        headers.append("Retry-After", number: max(1, Int((wait / .seconds(1)).rounded(.up))))
        return ProblemDetails(status: .serviceUnavailable, detail: "no catalogue can be served at the moment")
            .response(headers: headers)
    }
}
