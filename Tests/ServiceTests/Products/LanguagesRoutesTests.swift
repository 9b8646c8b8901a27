import FoundationEssentials
import HTTPServer
import JSON
import Networking
import TestSupport
import Testing

@testable import Service

/// Products whose texts come in the language that a client prefers.
@Suite(.timeLimit(.minutes(1)))
struct LanguagesRoutesTests {
    private static let items = """
        [{"id":1,"title":{"en":"Cup","de":"Tasse","pt_BR":"X\u{ed}cara"},"price":{"amount":5},"kind":{"en":"Kitchen","de":"K\u{fc}che"},
        "text":[{"lang":"en","text":"A cup"},{"lang":"de_DE","text":"\(String(repeating: "Eine Tasse. ", count: 100))"}],
        "sizes":[{"sku":"s","label":{"en":"Small","de":"Klein"},"cost":5},{"sku":"l","label":{"en":"Large"},"cost":6}]},
        {"id":2,"title":{"en":"Plate"},"price":{"amount":4},"text":[],"kind":{"en":"Kitchen"},"sizes":[]},
        {"id":3,"title":{"en":"Jar","de":"Glas"},"price":{"amount":3},"text":[],"kind":{"en":"Store"},"sizes":[]}]
        """

    private static func yaml(_ port: Int) -> String {
        """
        http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s }, locales: [de, pt-BR, en] }
        admin: { listen: 127.0.0.1:0 }
        serve:
          type: memory
          ttl: 1h
          upstream:
            type: http
            timeout: 20s
            request: { base_url: "http://127.0.0.1:\(port)" }
            decode:
              type: physical
              fields:
                name: { path: title, locale: en, localized: [de, pt-BR] }
                description: { path: text, locale: en, localized: { de: [de-AT, de-DE] } }
                category: { path: kind, locale: en, localized: de }
              constants: { price.currency: EUR }
              variants: { path: sizes, fields: { name: { path: label, locale: en, localized: [de] }, price.amount: cost } }
        """
    }

    private static func with(_ body: (LanguagesStand) async throws -> Void) async throws {
        try await ScriptedShop.with { shop in
            shop.serve(items)
            let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
            let service = try await RunningService(yaml: yaml(shop.port), clock: clock, log: LogRecorder())
            let stand = LanguagesStand(port: service.application.port)
            try await attempt {
                try await eventually { try await stand.get("/products").status == 200 }
                try await body(stand)
            } finally: {
                try await service.stop()
            }
        }
    }

    @Test func `the language is found by a lookup, and without one the products are as they are stored`() async throws {
        try await Self.with { stand in
            for (accepted, name, language) in [
                ("de", "Tasse", "de"), ("de-CH, en;q=0.5", "Tasse", "de"), ("DE", "Tasse", "de"),
                ("en;q=0.1, de;q=0.9", "Tasse", "de"), ("fr, pt-br", "X\u{ed}cara", "pt-BR"), ("en-US", "Cup", "en"),
                ("*, de;q=0.1", "Tasse", "de"), ("fr", "Cup", nil), ("pt", "Cup", nil), ("*", "Cup", nil),
                ("de;q=0, de-CH", "Cup", nil), ("de;q=2", "Cup", nil), ("", "Cup", nil), ("\u{e9}, ;, de-", "Cup", nil),
                (String(repeating: "x-", count: 300) + ", de", "Cup", nil),
            ] as [(String, String, String?)] {
                let answer = try await stand.get("/products", accepted)
                let product = answer.json["products"]?.array?.first?.object
                #expect(product?["name"]?.string == name, "\(accepted)")
                #expect(answer["Content-Language"] == language, "\(accepted)")
                #expect((product?["localized"] == nil) == (language != nil))
                #expect(answer["Vary"] == "Accept-Encoding, Accept-Language")
                #expect(answer["Cache-Control"]?.hasPrefix("public") == true)
            }
            #expect(try await stand.get("/products", nil)["Content-Language"] == nil)
        }
    }

    @Test func `texts of product and variant are in the language, or else as they are stored`() async throws {
        try await Self.with { stand in
            let products = try #require(try await stand.get("/products", "de").json["products"]?.array)
            #expect(products.map { $0.object?["name"]?.string } == ["Tasse", "Plate", "Glas"])
            #expect(products[0].object?["category"] == "K\u{fc}che")
            #expect(products[0].object?["description"]?.string?.hasPrefix("Eine Tasse") == true)
            let variants = try #require(products[0].object?["variants"]?.array)
            #expect(variants.map { $0.object?["name"]?.string } == ["Klein", "Large"])
            #expect(variants.allSatisfy { $0.object?["localized"] == nil })
            let stored = try #require(try await stand.get("/products/1").json["localized"]?.object)
            #expect(stored["name"] == .object(["de": "Tasse", "pt-BR": "X\u{ed}cara"]))
            let shown = try #require(try await stand.get("/products/1?view=display", "de").json["title"]?.string)
            #expect(shown == "Tasse")
            for target in ["/products/1", "/products?view=display", "/products/1?view=display"] {
                let prices = try await [nil, "de"].map { try await stand.price(target, $0) }
                #expect(prices[0] != nil && prices[0] == prices[1])
            }
        }
    }

    @Test func `each language has a tag of its own, which a condition compares, and a coding of its own`() async throws
    {
        try await Self.with { stand in
            for target in ["/products", "/products?limit=2", "/products/3", "/products?view=display"] {
                let languages: [String?] = [nil, "en", "de", "pt-BR"]
                let tags = try await languages.map { try #require(try await stand.get(target, $0)["ETag"]) }
                #expect(Set(tags).count == tags.count, "\(target)")
                for (language, tag) in zip(languages, tags) {
                    for (other, theirs) in zip(languages, tags) {
                        let answer = try await stand.get(target, other, "If-None-Match: \(tag)\r\n")
                        #expect(answer.status == (language == other ? 304 : 200), "\(target) \(tag)")
                        #expect(answer["ETag"] == theirs && answer["Vary"] == "Accept-Encoding, Accept-Language")
                    }
                }
            }
            let plain = try await stand.get("/products", "de")
            let zipped = try await stand.get("/products", "de", "Accept-Encoding: gzip\r\n")
            #expect(Gzip.unpacked(zipped.body) == plain.body)
            #expect(zipped["Content-Language"] == "de" && zipped["Content-Encoding"] == "gzip")
            #expect(zipped["ETag"] == plain["ETag"].map { "\($0.dropLast())-gzip\"" })
            #expect(plain["ETag"]?.prefix(33) == (try await stand.get("/products"))["ETag"]?.prefix(33))
            let head = try await stand.get("/products", "de", method: "HEAD")
            #expect(head.body.isEmpty && head["Content-Length"] == "\(plain.body.count)")
            #expect(head["Content-Language"] == "de" && head["ETag"] == plain["ETag"])
        }
    }

    @Test func `filters, order and pages go by the stored texts, in every language`() async throws {
        try await Self.with { stand in
            #expect(try await stand.get("/products?q=tasse", "de").json["total"] == 0)
            #expect(try await stand.names("/products?q=cup", "de") == ["Tasse"])
            #expect(try await stand.names("/products?category=Kitchen", "de") == ["Tasse", "Plate"])
            #expect(try await stand.names("/products?sort=name", "de") == ["Tasse", "Glas", "Plate"])
            let part = try await stand.get("/products/1?fields=name,localized", "de").text
            #expect(part == #"{"type":"physical","id":"1","name":"Tasse"}"#)
            let first = try await stand.get("/products?limit=2", "de")
            let next = try #require(first.json["next"]?.string)
            #expect(try await stand.names("/products?limit=2&cursor=\(next)", "de") == ["Glas"])
            #expect(try await stand.names("/products?limit=2&cursor=\(next)", "fr") == ["Jar"])
        }
    }

    @Test(arguments: ["/products", "/products/p-1", "/products?limit=2"])
    func `an answer in a language is ready at once`(target: String) async throws {
        let service = try InMemoryService(http: "locales: [de]")
        let request = HTTPRequest(target: target, headers: [("Accept-Language", "de-CH")])
        try await eventually {
            let first = try await service.get(target, ["Accept-Language": "de"])
            guard case .ready(let response) = try service.handler.respond(to: request) else { return false }
            return first.headers["Content-Language"] == "de"
                && response.headers.fields.contains { $0.name == "Content-Language" && $0.value == "de" }
        }
    }
}

/// A running service that is asked in languages.
private struct LanguagesStand {
    let port: Int

    func get(
        _ target: String, _ language: String? = nil, _ fields: String = "", method: String = "GET"
    ) async throws -> RawResponse {
        let accepted = language.map { "Accept-Language: \($0)\r\n" } ?? ""
        return try await BackgroundThread.run {
            let client = try RawClient(port: port)
            try client.send(
                "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(accepted)\(fields)\r\n")
            return try client.receiveToEnd()
        }
    }

    func names(_ target: String, _ language: String) async throws -> [String] {
        let products = try await get(target, language).json["products"]?.array ?? []
        return products.compactMap { $0.object?["name"]?.string }
    }

    /// The price of the first product, or its label.
    func price(_ target: String, _ language: String?) async throws -> JSONValue? {
        let json = try await get(target, language).json
        let product = json["products"]?.array?.first?.object ?? json
        return product["price"] ?? product["priceLabel"]
    }
}

extension Sequence {
    fileprivate func map<Result>(_ change: (Element) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await change(element)) }
        return results
    }
}
