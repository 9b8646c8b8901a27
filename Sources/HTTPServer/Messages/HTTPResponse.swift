internal import Text

/// A response.
///
/// The server adds `Date`, `Content-Length` and `Connection`. It leaves the body out where the protocol requires it:
/// for HEAD, whose response still has its length, and for 204 and 304.
public struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    /// The fields, ready to be sent.
    package var headers: HTTPHeaderBlock
    package var body: HTTPBody
    /// Whether the server closes the connection after this response.
    package var closesConnection = false
    package var delivery = HTTPDelivery.whole

    package init(status: HTTPStatus, headers: HTTPHeaderBlock = HTTPHeaderBlock(), body: HTTPBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension HTTPResponse {
    /// Makes a response whose body is the stream. Its connection ends with the stream. A HEAD request gets the head,
    /// and the stream is closed.
    package init(status: HTTPStatus, headers: HTTPHeaderBlock, stream: HTTPEventStream) {
        self.init(status: status, headers: headers, body: .empty.holding(HTTPEventStream.Opening(stream)))
        delivery = .streamed
    }

    /// The stream that follows the head; nil where the body is known.
    var stream: HTTPEventStream? { body.stream }

    /// The response to an unexpected error: without internals, and not cacheable.
    static let unexpected = ProblemDetails(status: .internalServerError).response()

    /// The response to a thrown error: its own if it has one, else a plain 500.
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

/// An unexpected error with a response of its own in place of the plain 500.
///
/// The server reports the cause, as for any error that is no `HTTPResponseError`.
package struct HTTPUnexpectedError: Error {
    package let cause: any Error
    /// The response for the client: complete, and free of internals.
    package let response: HTTPResponse
}

/// An error in the form of RFC 9457, `application/problem+json`.
package struct ProblemDetails: Sendable, Hashable {
    /// A URI for the kind of problem; `about:blank` if the status suffices.
    package var type: String
    /// The kind of problem in words; by default the status's reason.
    package var title: String
    /// The status of the response that carries the problem.
    package var status: HTTPStatus
    /// The fault of this request, in words for the client.
    package var detail: String?
    /// A URI for this occurrence.
    package var instance: String?
    /// The query parameter that is wrong; an extension member of ours, as the RFC allows.
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

    /// The response with the problem and further header fields.
    ///
    /// Not cacheable, unless the fields include a `Cache-Control`.
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

/// The part of a response that is sent. All but the first two cases are for practice upstreams and drills.
package enum HTTPDelivery: Sendable, Hashable {
    /// All of it.
    case whole
    /// The head, and then the stream.
    case streamed
    /// The head, with the length of the whole body, and only so many bytes of it; then the connection ends.
    case cut(after: Int)
    /// No bytes; the connection is closed.
    case dropped
    /// No bytes; the connection is reset.
    case reset
}

/// The status code of a status line with its reason phrase. Statuses are equal if their codes are.
package struct HTTPStatus: Sendable, Hashable, CustomStringConvertible {
    /// Between 200 and 599: the server sends interim responses.
    package let code: Int
    let phrase: StaticString

    /// Makes a status; a code outside 200…599 is a programming error.
    package init(code: Int, reason: StaticString) {
        precondition((200...599).contains(code), "not a final status: \(code)")
        self.code = code
        phrase = reason
    }

    package var reason: String { phrase.description }

    package var description: String { "\(code) \(phrase)" }

    package static func == (left: HTTPStatus, right: HTTPStatus) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    package static let ok = HTTPStatus(code: 200, reason: "OK")
    package static let accepted = HTTPStatus(code: 202, reason: "Accepted")
    /// 204: no body and no length
    package static let noContent = HTTPStatus(code: 204, reason: "No Content")
    /// 304: no body and no length
    package static let notModified = HTTPStatus(code: 304, reason: "Not Modified")
    package static let badRequest = HTTPStatus(code: 400, reason: "Bad Request")
    package static let unauthorized = HTTPStatus(code: 401, reason: "Unauthorized")
    package static let forbidden = HTTPStatus(code: 403, reason: "Forbidden")
    package static let notFound = HTTPStatus(code: 404, reason: "Not Found")
    package static let methodNotAllowed = HTTPStatus(code: 405, reason: "Method Not Allowed")
    package static let notAcceptable = HTTPStatus(code: 406, reason: "Not Acceptable")
    package static let conflict = HTTPStatus(code: 409, reason: "Conflict")
    package static let gone = HTTPStatus(code: 410, reason: "Gone")
    package static let preconditionFailed = HTTPStatus(code: 412, reason: "Precondition Failed")
    package static let contentTooLarge = HTTPStatus(code: 413, reason: "Content Too Large")
    package static let misdirectedRequest = HTTPStatus(code: 421, reason: "Misdirected Request")
    package static let tooManyRequests = HTTPStatus(code: 429, reason: "Too Many Requests")
    package static let internalServerError = HTTPStatus(code: 500, reason: "Internal Server Error")
    package static let notImplemented = HTTPStatus(code: 501, reason: "Not Implemented")
    package static let badGateway = HTTPStatus(code: 502, reason: "Bad Gateway")
    package static let serviceUnavailable = HTTPStatus(code: 503, reason: "Service Unavailable")
}
