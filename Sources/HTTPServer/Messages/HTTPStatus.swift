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

    /// Code and phrase, as on the status line.
    public var description: String { "\(code) \(phrase)" }

    /// Compares the codes only.
    public static func == (left: HTTPStatus, right: HTTPStatus) -> Bool { left.code == right.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// 200
    public static let ok = HTTPStatus(code: 200, reason: "OK")
    /// 204: no body and no length
    public static let noContent = HTTPStatus(code: 204, reason: "No Content")
    /// 304: no body and no length
    public static let notModified = HTTPStatus(code: 304, reason: "Not Modified")
    /// 400
    public static let badRequest = HTTPStatus(code: 400, reason: "Bad Request")
    /// 404
    public static let notFound = HTTPStatus(code: 404, reason: "Not Found")
    /// 405
    public static let methodNotAllowed = HTTPStatus(code: 405, reason: "Method Not Allowed")
    /// 406
    public static let notAcceptable = HTTPStatus(code: 406, reason: "Not Acceptable")
    /// 410
    public static let gone = HTTPStatus(code: 410, reason: "Gone")
    /// 412
    public static let preconditionFailed = HTTPStatus(code: 412, reason: "Precondition Failed")
    /// 500
    public static let internalServerError = HTTPStatus(code: 500, reason: "Internal Server Error")
    /// 501
    public static let notImplemented = HTTPStatus(code: 501, reason: "Not Implemented")
    /// 503
    public static let serviceUnavailable = HTTPStatus(code: 503, reason: "Service Unavailable")
    /// 504
    public static let gatewayTimeout = HTTPStatus(code: 504, reason: "Gateway Timeout")
}
