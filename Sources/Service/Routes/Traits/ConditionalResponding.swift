internal import HTTPServer

/// Answers with a representation, or with 304 when the client has it already.
protocol ConditionalResponding: Sendable {}

extension ConditionalResponding {
    /// A 304 has the headers of the 200 that it stands for.
    func respond(with representation: Representation, head: HTTPHeaderBlock, to request: HTTPRequest) -> HTTPResponse {
        if let known = request.header("If-None-Match"), EntityTag.matches(known, representation.entityTag) {
            return HTTPResponse(status: .notModified, headers: head, body: .empty)
        }
        return HTTPResponse(status: .ok, headers: head, body: representation.body)
    }
}
