internal import Concurrency
internal import HTTPServer
internal import JSON
internal import Products

/// Answers with a representation, with 304 when the client has it already, or with 412 when it wants another one.
protocol ConditionalResponding: Sendable {
    var resource: ProductsResource { get }
}

extension ConditionalResponding {
    /// Selects the form of a representation that answers a request.
    ///
    /// - Throws: a problem with status 412.
    func form(
        of representation: Representation, lastModified: LastModified, for request: HTTPRequest
    ) throws(ProblemDetails) -> ResponseForm {
        let outcome = Preconditions.outcome(
            of: request, entityTag: representation.entityTag, lastModified: lastModified,
            now: resource.wallClock.now())
        switch outcome {
        case .met: return .whole(representation.coding)
        case .notModified: return .notModified
        case .failed:
            throw ProblemDetails(
                status: .preconditionFailed, detail: "the products are not those that the request is about")
        }
    }

    /// The answer in its form.
    func respond(with representation: Representation, as form: ResponseForm, head: HTTPHeaderBlock) -> HTTPResponse {
        switch form {
        case .whole: HTTPResponse(status: .ok, headers: head, body: representation.body)
        case .notModified: HTTPResponse(status: .notModified, headers: head)
        }
    }
}

extension Preconditions {
    /// The header fields by which a client names the responses that it has.
    static let parameters = [
        condition(
            "If-None-Match", "The `ETag`s of answers that the client has, or `*`: 304 if one is still right.", tag),
        condition("If-Modified-Since", "The `Last-Modified` of an answer that the client has.", date),
        condition(
            "If-Match", "The `ETag`s of answers that the client means, or `*`: 412 if none is right any more.", "*"),
        condition("If-Unmodified-Since", "The `Last-Modified` of an answer that the client means.", laterDate),
    ]

    private static let tag = #""none", W/"other""#
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let laterDate = "Fri, 31 Dec 2999 23:59:59 GMT"

    private static func condition(_ name: String, _ meaning: String, _ example: String) -> ParameterDescription {
        ParameterDescription(
            name: name, place: .header, meaning: meaning, schema: Schema.text, example: .string(example))
    }
}

/// The form of a response, by which heads differ.
enum ResponseForm: Sendable, Hashable {
    /// A 200 with its bytes, coded like this.
    case whole(ContentCoding)
    /// A 304: the client has it already.
    case notModified
}

/// Finds the content coding that a client is best sent, and keeps to what the client excluded.
protocol CodingNegotiating: Sendable {}

extension CodingNegotiating {
    /// The coding that is best for a request, and whether none will do as well.
    /// - Throws: `UnacceptableCodings`.
    func coding(for request: HTTPRequest) throws(UnacceptableCodings) -> (best: ContentCoding, orNone: Bool) {
        switch AcceptedCodings(request.header("Accept-Encoding")).choice {
        case .identity: return (.identity, true)
        case .gzip(let orIdentity): return (.gzip, orIdentity)
        case .nothing: throw UnacceptableCodings()
        }
    }
}

extension CodingNegotiating {
    /// The header fields by which a client names the codings that it accepts.
    static var codings: [ParameterDescription] {
        [
            ParameterDescription(
                name: "Accept-Encoding", place: .header, meaning: "Whether the answer may be in gzip.",
                schema: Schema.text, example: "gzip;q=1, identity;q=0.5")
        ]
    }

    /// The response to requests that exclude all codings.
    static var unacceptable: ResponseDescription {
        .problem(406, "`Accept-Encoding` excludes every coding that there is.", fields: [.vary])
    }
}

/// A client excluded every coding that there is here, that of no coding included.
struct UnacceptableCodings: HTTPResponseError {
    /// A 406, which is another answer for who accepts more.
    var response: HTTPResponse {
        ProblemDetails(
            status: .notAcceptable,
            detail: "products are sent as they are or in gzip, and \"Accept-Encoding\" excludes both"
        ).response(headers: ["Vary": "Accept-Encoding"])
    }
}
