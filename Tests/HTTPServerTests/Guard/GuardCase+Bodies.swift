extension GuardCase {
    private static let after = get("/smuggled")

    /// What frames a body, each with a request behind it that must not be answered.
    static let bodies: [GuardCase] = [
        .body("a body", "Content-Length: 2", "ab" + after, 413),
        .refused("a body of GET", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab" + after, 413),
        .refused("a body of DELETE", "DELETE / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab" + after, 413),
        .refused(
            "a chunked body of GET",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + after, 411),
        .refused("a body of OPTIONS", "OPTIONS / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab" + after, 413),
        .refused("a body of TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab" + after, 413),
        .refused("a body of an unknown method", "BREW / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab", 413),
        .refused("a body of HEAD", "HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 43\r\n\r\n" + after, 400),
        .refused("a chunked body of HEAD", "HEAD / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        .body("a body that never comes", "Content-Length: 9000000000", "", 413),
        .body("a length beyond any number", "Content-Length: \(String(repeating: "9", count: 40))", "", 413),
        .body("a body with an expectation", "Content-Length: 2\r\nExpect: 100-continue", "", 413),
        .body("a length after a tab", "Content-Length:\t5", "abcde" + after, 413),
        .body("two lengths", "Content-Length: 5\r\nContent-Length: 43", "abcde" + after, 400),
        .body("the same length twice", "Content-Length: 2\r\nContent-Length: 2", "ab" + after, 400),
        .body("a list of lengths", "Content-Length: 5, 5", "abcde" + after, 400),
        .body("a length with a sign", "Content-Length: +5", "abcde" + after, 400),
        .body("a length after a vertical tab", "Content-Length: \u{b}5", "abcde" + after, 400),
        .body("a negative length", "Content-Length: -1", after, 400),
        .body("a hexadecimal length", "Content-Length: 0x5", "abcde" + after, 400),
        .body("an empty length", "Content-Length:", after, 400),
        .body("a length in two words", "Content-Length: 4 3", after, 400),
        .body("both framings", "Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n" + after, 400),
        .body("both framings of nothing", "Transfer-Encoding: chunked\r\nContent-Length: 0", "0\r\n\r\n", 400),
        .body("a chunked body", "Transfer-Encoding: chunked", "2\r\nab\r\n0\r\n\r\n" + after, 411),
        .body("a chunked body in capitals", "Transfer-Encoding: Chunked ", "0\r\n\r\n" + after, 411),
        .body("an extension of a chunk", "Transfer-Encoding: chunked", "5;a=b\r\nabcde\r\n0\r\n\r\n" + after, 411),
        .body("a chunk of junk", "Transfer-Encoding: chunked", "0x5\r\nabcde0\r\n\r\n" + after, 411),
        .body("a trailer", "Transfer-Encoding: chunked", "0\r\nA: b\r\n\r\n" + after, 411),
        .body("an unknown coding", "Transfer-Encoding: foo", after, 501),
        .body("identity", "Transfer-Encoding: identity", after, 501),
        .body("gzip and chunked", "Transfer-Encoding: gzip, chunked", "0\r\n\r\n" + after, 501),
        .body("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n" + after, 501),
        .body("chunked and more", "Transfer-Encoding: chunkedx", "0\r\n\r\n" + after, 501),
        .body("an empty coding", "Transfer-Encoding:", after, 501),
        .refused("a coding of HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + after, 400),
        .served("a length of zero", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n" + get("/"), [200, 200]),
        .served(
            "a length of zeros", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 000\r\n\r\n" + get("/"), [200, 200]),
    ]

    /// Requests behind one another.
    static let pipelines: [GuardCase] = [
        .served("three requests", get("/1") + get("/2") + get("/3"), [200, 200, 200]),
        .served(
            "nonsense behind two requests", get("/1") + get("/2") + "nonsense\r\n\r\n" + after, [200, 200, 400],
            closes: true),
        .served(
            "a body behind a request", get("/1") + "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na" + after,
            [200, 413], closes: true),
        .served(
            "a request after the last", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + after, closes: true),
        .served("nonsense after the last", "GET / HTTP/1.0\r\n\r\nnonsense\r\n\r\n", closes: true),
    ]

    /// All of them.
    static let all = lines + fields + bodies + pipelines
}
