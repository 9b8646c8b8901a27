internal import Decoding
internal import Networking
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Upstreams

/// Every way in which an upstream can be bad, and the failure it has to end in.
@Suite(.timeLimit(.minutes(2)))
struct HTTPBadDaysTests {
    struct BadDay: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let failure: ProductsFailure
        let script: @Sendable (UpstreamConnection) -> Void

        init(
            _ name: String, _ failure: ProductsFailure, _ answer: @escaping @Sendable (UpstreamConnection) -> Void
        ) {
            testDescription = name
            self.failure = failure
            script = answering(answer)
        }

        /// An answer of this status and body.
        static func answer(
            _ name: String, _ failure: ProductsFailure, status: String = "200 OK", headers: String = "",
            body: String = ""
        ) -> BadDay {
            BadDay(name, failure) { $0.respond(status: status, headers: headers, body: body) }
        }
    }

    private static let limit = 4000
    private static let price = #""price":{"amount":1,"currency":"EUR"}"#

    static let badDays: [BadDay] = [
        .answer("404", .upstreamStatus(404, retryAfter: nil), status: "404 Not Found"),
        .answer(
            "429 with Retry-After", .upstreamStatus(429, retryAfter: .seconds(7)), status: "429 Too Many Requests",
            headers: "Retry-After: 7\r\n"),
        .answer(
            "429 with a date", .upstreamStatus(429, retryAfter: nil), status: "429 Too Many Requests",
            headers: "Retry-After: Fri, 31 Dec 2027 23:59:59 GMT\r\n"),
        .answer(
            "503 with nonsense", .upstreamStatus(503, retryAfter: nil), status: "503 Service Unavailable",
            headers: "Retry-After: -1\r\n"),
        .answer("500", .upstreamStatus(500, retryAfter: nil), status: "500 Internal Server Error", body: "{}"),
        .answer("503", .upstreamStatus(503, retryAfter: nil), status: "503 Service Unavailable"),
        .answer("204", .upstreamStatus(204, retryAfter: nil), status: "204 No Content"),
        .answer("a 304 that nobody asked for", .upstreamStatus(304, retryAfter: nil), status: "304 Not Modified"),
        .answer("redirects without end", .tooManyRedirects(limit: 5), status: "302 Found", headers: "Location: /\r\n"),
        .answer("no body", .malformed(detail: "invalid JSON at line 1, column 1: expected a value, found the end")),
        .answer(
            "JSON cut off", .malformed(detail: "invalid JSON at line 1, column 10: expected a value, found the end"),
            body: "[{\"type\":"),
        .answer(
            "an object without products",
            .malformed(detail: "expected an array or an object with \"products\", found an object without"),
            body: "{\"items\":[]}"),
        .answer(
            "a product without a name", .malformed(detail: "[1].name: missing"),
            body: #"[{"type":"physical","id":"1","name":"Mug",\#(price)},{"type":"physical","id":"2",\#(price)}]"#),
        .answer(
            "a price that is a word", .malformed(detail: "[0].price.amount: expected a number, found string \"much\""),
            body: #"[{"type":"physical","id":"1","name":"Mug","price":{"amount":"much","currency":"EUR"}}]"#),
        .answer(
            "two products with one id", .refused(.duplicateID("1", first: 0, second: 1)),
            body: "["
                + Array(repeating: #"{"type":"digital","id":"1","name":"Mug",\#(price)}"#, count: 2).joined(
                    separator: ",") + "]"),
        .answer("more than is accepted", .tooLarge(limit: limit), body: String(repeating: " ", count: limit + 1)),
    ]

    @Test(arguments: badDays)
    func `an upstream that answers`(_ badDay: BadDay) async throws {
        try await withClient(against: badDay.script) { client, upstream async throws in
            let limits = HTTPClientLimits(connectTimeout: .seconds(20), timeout: .seconds(20), body: Self.limit)
            let provider = makeHTTPProvider(client, url: upstream.url, limits: limits)
            #expect(try await provider.failure() == badDay.failure)
        }
    }

    @Test(arguments: [
        ("", "<!doctype html>", true), ("text/html", "\n <html>", true), ("text/plain", "<p>Log in</p>", true),
        ("Text/HTML; charset=utf-8", "Down for maintenance", true), ("text/html", "<?xml version=\"1.0\"?>", true),
        ("", "<?xml version=\"1.0\"?>", false), ("text/plain", "Down", false), ("text/html", "", false),
        ("text/html", "[", false),
    ])
    func `a page for people is called that, and where it is`(type: String, body: String, isHTML: Bool) async throws {
        let script = answering { $0.respond(headers: type.isEmpty ? "" : "Content-Type: \(type)\r\n", body: body) }
        try await withClient(against: script) { client, upstream async throws in
            let failure = try await makeHTTPProvider(client, url: "\(upstream.url)list").failure()
            let isCalledSo = failure == .malformed(detail: "HTML instead of JSON at \(upstream.url)list/")
            #expect(isCalledSo == isHTML, "\(String(describing: failure))")
        }
    }

    @Test(arguments: [
        ("{ format: csv, type: digital }", "line 1, column 1: expected a header, found \"<!doctype html>\""),
        ("{ format: jsonl }", "line 1, column 1: expected a value, found \"<\""),
        (
            "{ format: xml, items: rss.channel.item }",
            "line 1, column 1: expected XML, found \"<!doctype html>\""
        ),
    ])
    func `a page for people in place of another format is refused at its beginning`(
        mapping: String, problem: String
    ) async throws {
        let script = answering {
            $0.respond(headers: "Content-Type: text/html\r\n", body: "<!doctype html>\n<p>Log in</p>")
        }
        let decoder = try makeDecoder(mapping)
        try await withClient(against: script) { client, upstream async throws in
            let failure = try await makeHTTPProvider(client, url: upstream.url, decoder: decoder).failure()
            #expect(failure == .malformed(detail: "invalid \(decoder.format.rawValue.uppercased()) at \(problem)"))
        }
    }

    @Test func `XML that is called HTML is XML, also from a packed file`() async throws {
        let text = "<all><item><id>7</id><name>Mug</name><price>1.50</price></item></all>"
        let script = answering {
            $0.respond(headers: "Content-Type: text/html\r\n", body: Gzip.packed(Array(text.utf8)))
        }
        let mapping =
            "{ format: xml, items: all.item, type: digital, fields: { price.amount: price }, "
            + "constants: { price.currency: EUR } }"
        let decoder = try makeDecoder(mapping)
        try await withClient(against: script) { client, upstream async throws in
            let provider = makeHTTPProvider(client, url: upstream.url, decoder: decoder)
            #expect(try await provider.ask().snapshot.products.map(\.id) == ["7"])
        }
    }

    @Test func `JSON that is called HTML is JSON`() async throws {
        let script = answering { $0.respond(headers: "Content-Type: text/html\r\n", body: makeBody()) }
        try await withClient(against: script) { client, upstream async throws in
            #expect(try await makeHTTPProvider(client, url: upstream.url).ask().snapshot.products.count == 3)
        }
    }

    @Test(
        arguments: [
            ("reset", .reset, { @Sendable in $0.resetAtEnd() }),
            ("closed without an answer", .reset, { @Sendable _ in }),
            ("body cut off", .truncated, { @Sendable in $0.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[") }),
        ] as [(String, UnreachableReason, @Sendable (UpstreamConnection) -> Void)])
    func `a connection that breaks`(
        name: String, reason: UnreachableReason, answer: @escaping @Sendable (UpstreamConnection) -> Void
    )
        async throws
    {
        let script: @Sendable (UpstreamConnection) -> Void = { if $0.readRequest() != nil { answer($0) } }
        try await withClient(against: script) { client, upstream async throws in
            let failure = try await makeHTTPProvider(client, url: upstream.url).failure()
            guard case .unreachable(reason, let detail, _) = failure else {
                Issue.record("\(name): \(String(describing: failure))")
                return
            }
            #expect(detail.hasPrefix(upstream.url))
        }
    }

    @Test func `no answer in time`() async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { if $0.readRequest() != nil { $0.waitForClose() } }
        try await withClient(against: script) { client, upstream async throws in
            let limits = HTTPClientLimits(connectTimeout: .seconds(20), timeout: .milliseconds(100), body: Self.limit)
            let provider = makeHTTPProvider(client, url: upstream.url, limits: limits)
            #expect(try await provider.failure() == .timedOut(after: .milliseconds(100)))
        }
    }

    @Test func `nobody there`() async throws {
        let port = LoopbackSocket.closedPort()
        try await withClient { client async throws in
            let failure = try await makeHTTPProvider(client, url: "http://127.0.0.1:\(port)").failure()
            #expect(failure?.token == "refused")
            #expect(failure?.isConnectionFailure == true)
        }
    }

    @Test func `a name that cannot exist`() async throws {
        let name = String(repeating: "x", count: 64) + ".invalid"
        try await withClient { client async throws in
            #expect(try await makeHTTPProvider(client, url: "http://\(name)/").failure()?.token == "dns")
        }
    }
}
