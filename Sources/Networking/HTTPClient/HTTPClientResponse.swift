/// A whole answer of an upstream, whatever its status; after redirects, the last one.
public struct HTTPClientResponse: Sendable, Hashable {
    /// 200 to 599; whatever the upstream said.
    public let status: Int
    /// Without trailers, and of the last response only.
    public let headers: HTTPHeaders
    /// Unpacked where the status is 2xx.
    public let body: [UInt8]

    /// Creates a response.
    public init(status: Int, headers: HTTPHeaders = HTTPHeaders([]), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension HTTPClientResponse {
    /// Whether the body is a page for people, as gateways and login forms send it, often with a status of success.
    ///
    /// The header alone does not make it one: many servers send JSON under the type of HTML.
    public var isHTML: Bool {
        let text = body.drop { " \t\r\n\u{FEFF}".utf8.contains($0) }
        guard let first = text.first else { return false }
        let isCalledHTML = headers["Content-Type"]?.lowercased().hasPrefix("text/html") ?? false
        if first == UInt8(ascii: "<") { return isCalledHTML || !text.starts(with: "<?xml".utf8) }
        return isCalledHTML && first != UInt8(ascii: "[") && first != UInt8(ascii: "{")
    }
}

extension HTTPClientResponse {
    /// In seconds: nobody means more than a day, and arithmetic on more could overflow.
    private static let longestWait = 86_400

    /// The `Retry-After` header in its form as a number of seconds; the form as a date is ignored. Nil when there is
    /// none, or none that can be read.
    public var retryAfter: Duration? {
        guard let text = headers["Retry-After"], let seconds = Int(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, Self.longestWait))
    }
}
