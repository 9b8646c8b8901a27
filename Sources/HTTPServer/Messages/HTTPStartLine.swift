internal import CEventShim

/// The method of a request line.
package enum HTTPMethod: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case get, head, options, post, put, delete, patch, trace
    /// A method that libevent does not know; it does not keep the name.
    case other

    /// The token on the wire; `OTHER` for an unknown one.
    package var description: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .options: "OPTIONS"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .patch: "PATCH"
        case .trace: "TRACE"
        case .other: "OTHER"
        }
    }

    init(_ method: larder_method) {
        switch method {
        case LARDER_GET: self = .get
        case LARDER_HEAD: self = .head
        case LARDER_OPTIONS: self = .options
        case LARDER_POST: self = .post
        case LARDER_PUT: self = .put
        case LARDER_DELETE: self = .delete
        case LARDER_PATCH: self = .patch
        case LARDER_TRACE: self = .trace
        default: self = .other
        }
    }
}

/// The status code of a status line with its reason phrase. Two of the same code are equal whatever their phrases.
package struct HTTPStatus: Sendable, Hashable, CustomStringConvertible {
    /// Between 200 and 599: what comes before the final answer is the server's business.
    package let code: Int
    let phrase: StaticString

    /// A status; a code outside 200…599 is a mistake of the program and stops it.
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
    package static let internalServerError = HTTPStatus(code: 500, reason: "Internal Server Error")
    package static let notImplemented = HTTPStatus(code: 501, reason: "Not Implemented")
    package static let badGateway = HTTPStatus(code: 502, reason: "Bad Gateway")
    package static let serviceUnavailable = HTTPStatus(code: 503, reason: "Service Unavailable")
}
