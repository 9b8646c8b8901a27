internal import Text

/// A response.
///
/// `Date`, `Content-Length` and `Connection` are added when it is sent. The body is left out by the server where the
/// protocol wants it so: in answers to HEAD, which still carry its length, and in 204 and 304.
public struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    /// The fields, ready to be sent.
    package var headers: HTTPHeaderBlock
    package var body: HTTPBody
    /// Whether the connection ends with this response although the client would go on.
    package var closesConnection = false
    package var delivery = HTTPDelivery.whole

    package init(status: HTTPStatus, headers: HTTPHeaderBlock = HTTPHeaderBlock(), body: HTTPBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension HTTPResponse {
    /// A response whose body is what the stream is sent. Its connection ends with it. A HEAD request gets the head, and the
    /// stream is closed.
    package init(status: HTTPStatus, headers: HTTPHeaderBlock, stream: HTTPEventStream) {
        self.init(status: status, headers: headers, body: .empty.holding(HTTPEventStream.Opening(stream)))
        delivery = .streamed
    }

    /// The stream that follows the head; nil where the body is known.
    var stream: HTTPEventStream? { body.stream }

    /// The response to an unexpected error: no internals, and not to be cached.
    static let unexpected = ProblemDetails(status: .internalServerError).response()

    /// The response to a thrown error: its own where it has one, else a plain 500.
    package init(for error: any Error) {
        self =
            switch error {
            case let error as any HTTPResponseError: error.response
            case let error as HTTPUnexpectedError: error.response
            default: .unexpected
            }
    }
}

package protocol HTTPResponseError: Error {
    /// Complete, and free of internals.
    var response: HTTPResponse { get }
}

/// An error that says nothing about the client, with a response of its own in place of the plain 500.
///
/// The server reports the cause, as it does with any error that is no `HTTPResponseError`.
package struct HTTPUnexpectedError: Error {
    package let cause: any Error
    /// The response for the client: complete, and free of internals.
    package let response: HTTPResponse
}

/// An error in the form of RFC 9457, `application/problem+json`.
package struct ProblemDetails: Sendable, Hashable {
    /// A URI that names the kind of problem; `about:blank` when the status says it all.
    package var type: String
    /// The kind of problem in words; the status's reason unless given.
    package var title: String
    /// The status of the response that carries the problem.
    package var status: HTTPStatus
    /// The fault of this request, in words for the client.
    package var detail: String?
    /// A URI that names this occurrence.
    package var instance: String?
    /// The name of the query parameter that is wrong; a member of our own, as the RFC allows.
    package var parameter: String?

    package init(
        type: String = "about:blank", title: String? = nil, status: HTTPStatus, detail: String? = nil,
        instance: String? = nil, parameter: String? = nil
    ) {
        self.type = type
        self.title = title ?? status.reason
        self.status = status
        self.detail = detail
        self.instance = instance
        self.parameter = parameter
    }

    package var json: String {
        var text = Array("{\"type\":".utf8)
        func append(_ name: String, _ value: String) {
            text.append(contentsOf: name.utf8)
            JSONString.append(value, to: &text)
        }
        JSONString.append(type, to: &text)
        append(",\"title\":", title)
        text.append(contentsOf: ",\"status\":\(status.code)".utf8)
        if let detail { append(",\"detail\":", detail) }
        if let instance { append(",\"instance\":", instance) }
        if let parameter { append(",\"parameter\":", parameter) }
        text.append(contentsOf: "}\n".utf8)
        return String(decoding: text, as: UTF8.self)
    }

    /// The response that carries the problem, with further header fields.
    ///
    /// Not to be kept by caches, unless the given fields have a `Cache-Control` of their own.
    package func response(headers: HTTPHeaderBlock = HTTPHeaderBlock()) -> HTTPResponse {
        var all: HTTPHeaderBlock = ["Content-Type": "application/problem+json"]
        if !headers.contains("Cache-Control") { all.append(["Cache-Control": "no-store"]) }
        all.append(headers)
        return HTTPResponse(status: status, headers: all, body: HTTPBody(text: json))
    }
}

/// Lets handlers throw the problem.
extension ProblemDetails: HTTPResponseError {
    /// The problem without further fields.
    package var response: HTTPResponse { response() }
}

/// The part of a response that is sent. All but the first two are for practice upstreams and drills.
package enum HTTPDelivery: Sendable, Hashable {
    /// All of it.
    case whole
    /// The head, and then the parts that its stream is sent.
    case streamed
    /// The head, which announces the whole body, and only so many bytes of it; then the connection ends.
    case cut(after: Int)
    /// No bytes; the connection is closed.
    case dropped
    /// No bytes; the connection is reset.
    case reset
}
