@testable internal import Concurrency
internal import FileSystem
internal import FoundationEssentials
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Upstreams

@testable internal import Decoding
@testable internal import Providers

/// Sale prices that count for a time.
@Suite(.timeLimit(.minutes(1)))
struct TimeWindowTests {
    /// 2026-01-31T12:00:00Z.
    private let wall = ManualWallClock()
    private static let between = "during: { from: a, to: b }"

    private func decoder(_ during: String, _ others: String = "") throws -> MappedCatalogueFormat {
        let mapping = """
            { type: physical, fields: { price.amount: { path: [sale, price], \(during) }\(others) }, \
            constants: { name: x, price.currency: EUR } }
            """
        var decoder = try #require(try makeDecoder(mapping) as? MappedCatalogueFormat)
        decoder.clock = wall.wallClock
        return decoder
    }

    private func item(_ members: String, id: Int = 1) -> String { #"{"id":\#(id),"price":10,"sale":5\#(members)}"# }

    private func prices(_ decoded: DecodedProducts) -> [String] { decoded.products.map { "\($0.price.amount)" } }

    @Test(arguments: [
        (#","a":"2026-01-31T12:00:00Z""#, "5"), (#","a":"2026-01-31T12:00:01Z""#, "10"),
        (#","a":"2026-01-31T13:00:00+01:00""#, "5"), (#","a":"2026-01-31T12:00:00+0100""#, "5"),
        (#","a":"2026-01-31T11:00-0130""#, "10"), (#","a":"2026-01-31T12:00:00.999Z""#, "5"),
        (#","b":"2026-01-31T12:00:00Z""#, "10"), (#","b":"2026-01-31T12:00:01Z""#, "5"),
        (#","a":"2025-12-31 23:59:59Z","b":"2026-02-28T00:00Z""#, "5"), ("", "5"),
        (#","a":null,"b":"""#, "5"), (#","a":"2027-01-01T00:00Z","b":null"#, "10"),
        (#","a":"2024-02-29T00:00+14""#, "5"),
    ])
    func `a value counts from its beginning until just before its end`(members: String, price: String) throws {
        #expect(prices(try decoder(Self.between).decode(Array("[\(item(members))]".utf8))) == [price])
    }

    @Test(arguments: [
        ("2026-01-01T00:00+0100/2026-01-31T23:59+0100", "5"), ("2026-02-01T00:00Z/2026-02-28T00:00Z", "10"),
        ("2026-01-01T00:00Z/2026-01-31T13:00+0100", "10"),
    ])
    func `one text has both bounds`(interval: String, price: String) throws {
        let text = "[\(item(#","t":"\#(interval)""#))]"
        #expect(prices(try decoder("during: t").decode(Array(text.utf8))) == [price])
    }

    @Test(arguments: [
        "2026-11-30", "2026-11-30T23:59:00", "2026-02-29T00:00Z", "2026-13-01T00:00Z", "2026-11-30T24:00Z",
        "2026-11-30T23:59:00Zx", "30.11.2026", "0000-00-00 00:00:00", "2026-11-30T23:59:00+1", "tomorrow",
    ])
    func `what is no time with its offset makes the item bad`(text: String) throws {
        let document = Array("[\(item(#","a":"\#(text)""#))]".utf8)
        let expected = """
            [0].price.amount (theirs: sale): expected a time like 2026-11-30T23:59:00Z, with its offset or "zone" in "during", \
            at a, found string "\(text)"
            """
        #expect(throws: ProductsFailure.malformed(detail: expected)) {
            try decoder(Self.between).decode(document)
        }
        let free = Array("[\(item(#","a":"\#(text)""#).replacing(#""sale":5"#, with: #""sale":null"#))]".utf8)
        #expect(prices(try decoder(Self.between).decode(free)) == ["10"])
    }

    @Test(arguments: ["2026-11-01T00:00Z", "2026-11-01T00:00Z/P1D", "a/b", "2026-11-01T00:00/2026-11-30T00:00", "7"])
    func `what is no interval makes the item bad`(text: String) throws {
        let document = Array("[\(item(#","t":"\#(text)""#))]".utf8)
        #expect(throws: ProductsFailure.self) { try decoder("during: t").decode(document) }
    }

    @Test func `a zone is for times that state none`() throws {
        let document = Array("[\(item(#","b":"2026-01-31T12:30:00""#))]".utf8)
        #expect(prices(try decoder("during: { to: b, zone: UTC }").decode(document)) == ["5"])
        #expect(prices(try decoder("during: { to: b, zone: \"+01:00\" }").decode(document)) == ["10"])
    }

    @Test func `each variant has its own time, and a bound that no item has is told`() throws {
        let mapping = """
            { type: physical, constants: { name: x, price.currency: EUR }, variants: { path: v, fields: { \
            price.amount: { path: [sale, price], during: { from: a, to: c } } } } }
            """
        var decoder = try #require(try makeDecoder(mapping) as? MappedCatalogueFormat)
        decoder.clock = wall.wallClock
        let variants = [item(""), item(#","a":"2026-02-01T00:00Z""#)].joined(separator: ",")
        let decoded = try decoder.decode(Array(#"[{"id":1,"v":[\#(variants)]}]"#.utf8))
        #expect(
            decoded.products.first?.attributes["variants"]?.array?.map { "\($0)".contains("\"amount\":5") } == [
                true, false,
            ])
        #expect(decoded.unmatched.map { $0.prefix { $0 != "(" } } == ["variants.price.amount during: v.*.c "])
        #expect(decoded.validity?.upperBound == wall.now + 43_200)
    }

    private static let sale = #","a":"2026-01-31T12:01:00Z","b":"2026-01-31T12:02:00Z""#

    @Test func `a document is decoded again when a sale begins and ends, from the upstream's 304 too`() async throws {
        let body = "[\(item(Self.sale)),\(item(#","b":"2026-01-31T12:03:00Z""#, id: 2)),\(item("", id: 3))]"
        let script = answering { connection in
            connection.respond(headers: "ETag: \"v1\"\r\n", body: body)
        }
        try await withClient(against: Self.validating(body)) { client, upstream async throws in
            let provider = makeHTTPProvider(
                client, url: upstream.url, decoder: try decoder(Self.between), wallClock: wall.wallClock)
            try await expectSale(provider, "http")
            #expect(upstream.requestHeads.map { $0.lowercased().contains("if-none-match") } == Self.isConditional)
        }
        try await withClient(against: script) { client, upstream async throws in
            wall.advance(by: .seconds(-200))
            let provider = makeHTTPProvider(
                client, url: upstream.url, decoder: try decoder(Self.between), wallClock: wall.wallClock)
            try await expectSale(provider, "http")
        }
    }

    @Test func `a file is decoded again when a sale begins and ends`() async throws {
        let directory = try TemporaryDirectory()
        let body = "[\(item(Self.sale)),\(item(#","b":"2026-01-31T12:03:00Z""#, id: 2)),\(item("", id: 3))]"
        try Files.create(directory("p.json"), Array(body.utf8))
        let provider = FileProductsProvider(
            path: directory("p.json"), decoder: try decoder(Self.between), wallClock: wall.wallClock,
            timeout: .seconds(30))
        try await expectSale(provider, "file")
    }

    /// Whether each request of ``expectSale`` may be conditional.
    private static let isConditional = [false, true, false, true, false, true, false, true]

    /// Asks at the beginning, and just before and at each change.
    private func expectSale(_ provider: some ProductsProvider, _ name: String) async throws {
        let expected = [
            (0.0, ["10", "5", "5"], "fetched"), (59, ["10", "5", "5"], "unchanged"), (1, ["5", "5", "5"], "fetched"),
            (59, ["5", "5", "5"], "unchanged"), (1, ["10", "5", "5"], "fetched"), (59, ["10", "5", "5"], "unchanged"),
            (1, ["10", "10", "5"], "fetched"), (20, ["10", "10", "5"], "unchanged"),
        ]
        for (seconds, prices, outcome) in expected {
            wall.advance(by: .seconds(seconds))
            let answer = try await provider.ask()
            #expect(answer.snapshot.catalogue.products.map { "\($0.price.amount)" } == prices)
            #expect(answer.steps == ["\(name): \(outcome)"])
        }
    }

    @Test func `a sale that begins on a changed document ends for the items that did not change`() async throws {
        let amounts = Shared([10, 11])
        let sale = item(#","b":"2026-01-31T12:02:00Z""#)
        let script = answering { connection in
            let amount = amounts.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            connection.respond(body: #"[\#(sale),{"id":2,"price":\#(amount)}]"#)
        }
        try await withClient(against: script) { client, upstream async throws in
            let provider = makeHTTPProvider(
                client, url: upstream.url, decoder: try decoder(Self.between), wallClock: wall.wallClock)
            for (seconds, prices) in [(0, ["5", "10"]), (60, ["5", "11"]), (60, ["10", "11"])] {
                wall.advance(by: .seconds(seconds))
                #expect(try await provider.ask().snapshot.catalogue.products.map { "\($0.price.amount)" } == prices)
            }
        }
    }

    @Test func `a sale that ends while the upstream confirms the document is not served`() async throws {
        let body = "[\(item(#","b":"2026-01-31T12:01:00Z""#))]"
        try await withClient(against: Self.validating(body) { [wall] in wall.advance(by: .seconds(60)) }) {
            client, upstream async throws in
            let provider = makeHTTPProvider(
                client, url: upstream.url, decoder: try decoder(Self.between), wallClock: wall.wallClock)
            _ = try await provider.ask()
            #expect(try await provider.ask().snapshot.catalogue.products.map { "\($0.price.amount)" } == ["10"])
            #expect(upstream.requestHeads.map { $0.lowercased().contains("if-none-match") } == [false, true, false])
        }
    }

    /// An upstream with one document, which confirms its validator.
    private static func validating(
        _ body: String, confirming: @escaping @Sendable () -> Void = {}
    ) -> @Sendable (UpstreamConnection) -> Void {
        { connection in
            while let head = connection.readRequest() {
                if head.lowercased().contains("if-none-match: \"v1\"") {
                    confirming()
                    connection.write("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n")
                } else {
                    connection.respond(headers: "ETag: \"v1\"\r\n", body: body)
                }
            }
        }
    }
}
