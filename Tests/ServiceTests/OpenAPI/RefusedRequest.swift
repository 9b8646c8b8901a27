import Testing

/// A request that is refused before any route hears of it.
struct RefusedRequest: Sendable, CustomTestStringConvertible {
    let status: Int
    /// What stands behind the path.
    var suffix = ""
    /// The header lines.
    var fields = ""

    var testDescription: String { "\(status)" }

    static let all: [RefusedRequest] = [
        RefusedRequest(status: 400, fields: "Host: a\r\nHost: b\r\n"),
        RefusedRequest(status: 411, fields: "Transfer-Encoding: chunked\r\n"),
        RefusedRequest(status: 413, fields: "Content-Length: 5\r\n"),
        RefusedRequest(status: 414, suffix: "?" + String(repeating: "a", count: 9000)),
        RefusedRequest(status: 417, fields: "Expect: more\r\n"),
        RefusedRequest(status: 431, fields: (0..<200).map { "X-\($0): a\r\n" }.joined()),
        RefusedRequest(status: 501, fields: "Transfer-Encoding: pigeon\r\n"),
        RefusedRequest(status: 505, suffix: " HTTP/2.0"),
    ]
}
