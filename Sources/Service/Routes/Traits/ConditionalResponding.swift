internal import HTTPServer
internal import Products

/// Answers with a representation, with 304 when the client has it already, or with 412 when it wants another one.
protocol ConditionalResponding: Sendable {
    var resource: ProductsResource { get }
}

extension ConditionalResponding {
    /// What of a representation answers a request.
    /// - Throws: a problem with status 412.
    func form(
        of representation: Representation, lastModified: LastModified, for request: HTTPRequest
    ) throws(ProblemDetails) -> AnswerForm {
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
    func respond(with representation: Representation, as form: AnswerForm, head: HTTPHeaderBlock) -> HTTPResponse {
        switch form {
        case .whole: HTTPResponse(status: .ok, headers: head, body: representation.body)
        case .notModified: HTTPResponse(status: .notModified, headers: head)
        }
    }
}
