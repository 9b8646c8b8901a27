extension GuardCase {
    private static func manyFields(_ count: Int) -> String {
        (0..<count).map { "X\($0): y" }.joined(separator: "\r\n")
    }

    /// Field lines.
    static let fields: [GuardCase] = [
        .refused("no Host", "GET / HTTP/1.1\r\n\r\n", 400),
        .refused("two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400),
        .refused("a Host with a space", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
        .refused("a Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        .refused("two Hosts of HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        .refused("a field that ends with LF", "GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
        .refused("a head that ends with LF", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
        .field("a space before the colon", "Name : v", 400),
        .field("a length with a space before the colon", "Content-Length : 5", 400),
        .field("a tab before the colon", "Name\t: v", 400),
        .field("an empty name", ": v", 400),
        .field("no colon", "Name", 400),
        .field("a name that is no token", "Na(me: v", 400),
        .field("a name beyond ASCII", "N\u{e4}me: v", 400),
        .field("a folded line", "A: b\r\n c", 400),
        .field("a line folded with a tab", "A: b\r\n\tc", 400),
        .field("a folded coding", "Transfer-Encoding:\r\n chunked", 400),
        .refused("a folded first line", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400),
        .field("a CR in a value", "A: b\rc", 400),
        .field("a NUL in a name", "A\0: b", 400),
        .field("a NUL in a value", "A: b\0c", 400),
        .field("a control character in a value", "A: b\u{1}", 400),
        .field("a DEL in a value", "A: b\u{7f}", 400),
        .field("a line that starts with NUL", "\0\r\nA: b", 400),
        .field("a line of NUL before another request", "A: b\r\n\0\r\n" + get("/smuggled"), 400),
        .field("an expectation that is unknown", "Expect: wonders", 417),
        .field("too many fields", manyFields(100), 431),
        .field("a head beyond its limit", "X: \(String(repeating: "x", count: 16384))", 431),
        .served("as many fields as may be", "GET / HTTP/1.1\r\nHost: a\r\n\(manyFields(99))\r\n\r\n"),
        .served("no Host with HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", closes: true),
        .served("an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
        .served("a Host with an IPv6 address", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"),
        .served("no space after the colon", "GET / HTTP/1.1\r\nHost:a\r\nX:y\r\n\r\n"),
        .served("values beyond ASCII", "GET / HTTP/1.1\r\nHost: a\r\nX: \u{e4}\t b \r\n\r\n"),
        .served("an expectation without a body", "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n\r\n"),
        .served("an upgrade", "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"),
        .served(
            "a list of connection options", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close, TE\r\n\r\n" + get("/"),
            [200], closes: true),
        .served("HTTP/1.0 that goes on", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + get("/"), [200, 200]),
    ]
}
