/// A status code with its reason phrase. Two of the same code are equal whatever their phrases.
public struct HTTPStatus: Sendable, Hashable, CustomStringConvertible {
    /// Between 200 and 599: what comes before the final answer is the server's business.
    public let code: Int
    let phrase: StaticString

    /// A status; a code outside 200…599 is a mistake of the program and stops it.
    public init(code: Int, reason: StaticString) {
        precondition((200...599).contains(code), "not a final status: \(code)")
        self.code = code
        phrase = reason
    }

    /// The phrase that goes on the status line.
    public var reason: String { phrase.description }

    /// As on the status line.
    public var description: String { "\(code) \(phrase)" }

    /// Compares the codes only.
    public static func == (left: HTTPStatus, right: HTTPStatus) -> Bool { left.code == right.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension HTTPStatus {
    /// 200
    public static let ok = HTTPStatus(code: 200, reason: "OK")
    /// 201
    public static let created = HTTPStatus(code: 201, reason: "Created")
    /// 202
    public static let accepted = HTTPStatus(code: 202, reason: "Accepted")
    /// 204: no body and no length
    public static let noContent = HTTPStatus(code: 204, reason: "No Content")
    /// 301
    public static let movedPermanently = HTTPStatus(code: 301, reason: "Moved Permanently")
    /// 302
    public static let found = HTTPStatus(code: 302, reason: "Found")
    /// 304: no body and no length
    public static let notModified = HTTPStatus(code: 304, reason: "Not Modified")
    /// 307
    public static let temporaryRedirect = HTTPStatus(code: 307, reason: "Temporary Redirect")
    /// 308
    public static let permanentRedirect = HTTPStatus(code: 308, reason: "Permanent Redirect")
    /// 400
    public static let badRequest = HTTPStatus(code: 400, reason: "Bad Request")
    /// 401
    public static let unauthorized = HTTPStatus(code: 401, reason: "Unauthorized")
    /// 403
    public static let forbidden = HTTPStatus(code: 403, reason: "Forbidden")
    /// 404
    public static let notFound = HTTPStatus(code: 404, reason: "Not Found")
    /// 405
    public static let methodNotAllowed = HTTPStatus(code: 405, reason: "Method Not Allowed")
    /// 406
    public static let notAcceptable = HTTPStatus(code: 406, reason: "Not Acceptable")
    /// 409
    public static let conflict = HTTPStatus(code: 409, reason: "Conflict")
    /// 410
    public static let gone = HTTPStatus(code: 410, reason: "Gone")
    /// 412
    public static let preconditionFailed = HTTPStatus(code: 412, reason: "Precondition Failed")
    /// 413
    public static let contentTooLarge = HTTPStatus(code: 413, reason: "Content Too Large")
    /// 414
    public static let uriTooLong = HTTPStatus(code: 414, reason: "URI Too Long")
    /// 422
    public static let unprocessableContent = HTTPStatus(code: 422, reason: "Unprocessable Content")
    /// 429
    public static let tooManyRequests = HTTPStatus(code: 429, reason: "Too Many Requests")
    /// 500
    public static let internalServerError = HTTPStatus(code: 500, reason: "Internal Server Error")
    /// 501
    public static let notImplemented = HTTPStatus(code: 501, reason: "Not Implemented")
    /// 502
    public static let badGateway = HTTPStatus(code: 502, reason: "Bad Gateway")
    /// 503
    public static let serviceUnavailable = HTTPStatus(code: 503, reason: "Service Unavailable")
    /// 504
    public static let gatewayTimeout = HTTPStatus(code: 504, reason: "Gateway Timeout")
}
