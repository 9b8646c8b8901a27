import Networking
import Products
import TestSupport
import Testing

@testable import Service

@Suite("Gzip over HTTP", .timeLimit(.minutes(1)))
struct GzipRoutesTests {
    private func exchange(_ stand: Stand, _ target: String, _ fields: [String]) async throws -> RawExchange {
        let lines = (["Host: localhost", "Connection: close"] + fields).map { "\($0)\r\n" }.joined()
        return try #require(await RawExchange.of("GET \(target) HTTP/1.1\r\n\(lines)\r\n", port: try stand.port()))
    }

    @Test(
        "In gzip the bytes are those of the plain answer, under a tag of their own",
        arguments: [
            "/products", "/products?view=display", "/products?limit=50", "/products?q=lot&sort=-price&fields=name",
        ])
    func gzip(target: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let plain = try await exchange(stand, target, [])
            let zipped = try await exchange(stand, target, ["Accept-Encoding: deflate, gzip;q=0.9, br"])
            try #require(plain.rest.count >= 860)
            #expect(plain["Content-Encoding"] == nil)
            #expect(zipped["Content-Encoding"] == "gzip")
            #expect(zipped["Content-Length"] == "\(zipped.rest.count)")
            #expect(zipped.rest.count < plain.rest.count)
            #expect(Gzip.unpacked(zipped.rest) == plain.rest)
            #expect(zipped["ETag"] == plain["ETag"].map { "\($0.dropLast())-gzip\"" })
            #expect(zipped["Link"] == plain["Link"])
            for answer in [plain, zipped] {
                #expect(answer["Vary"] == "Accept-Encoding")
                #expect(answer["Content-Type"] == "application/json")
            }
        }
    }

    @Test("A short answer comes as it is, except to who excludes that")
    func short() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let plain = try await exchange(stand, "/products/p-7", ["Accept-Encoding: gzip"])
            try #require(plain.rest.count < 860)
            #expect(plain["Content-Encoding"] == nil)
            #expect(plain["Vary"] == "Accept-Encoding")
            for target in ["/products/p-7", "/products/p-7?fields=name", "/products?ids=p-7"] {
                let plain = try await exchange(stand, target, [])
                let zipped = try await exchange(stand, target, ["Accept-Encoding: gzip, identity;q=0"])
                #expect(zipped["Content-Encoding"] == "gzip")
                #expect(Gzip.unpacked(zipped.rest) == plain.rest)
                #expect(zipped["ETag"] != plain["ETag"])
            }
        }
    }

    @Test("Who accepts nothing that there is gets a 406 problem; who names nothing of it gets the bytes as they are")
    func unacceptable() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let refused = try await exchange(stand, "/products", ["Accept-Encoding: br, *;q=0"])
            #expect(refused.status == 406)
            #expect(refused["Content-Type"] == "application/problem+json")
            #expect(refused["Vary"] == "Accept-Encoding")
            let plain = try await exchange(stand, "/products", ["Accept-Encoding: br"])
            #expect(plain.status == 200)
            #expect(plain["Content-Encoding"] == nil)
        }
    }

    @Test("The tag that counts is that of the coding which the request selects")
    func tags() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let gzip = "Accept-Encoding: gzip"
            let plain = try #require(try await exchange(stand, "/products", [])["ETag"])
            let zipped = try #require(try await exchange(stand, "/products", [gzip])["ETag"])
            for (fields, status) in [
                ([gzip, "If-None-Match: \(zipped)"], 304), ([gzip, "If-None-Match: W/\(zipped)"], 304),
                ([gzip, "If-None-Match: \(plain)"], 200), (["If-None-Match: \(zipped)"], 200),
                (["If-None-Match: \(plain), \(zipped)"], 304), ([gzip, "If-None-Match: *"], 304),
                ([gzip, "If-Match: \(zipped)"], 200), ([gzip, "If-Match: \(plain)"], 412),
            ] {
                let answer = try await exchange(stand, "/products", fields)
                #expect(answer.status == status)
                if status == 304 {
                    #expect(answer["ETag"] == (fields.contains(gzip) ? zipped : plain))
                    #expect(answer["Vary"] == "Accept-Encoding")
                }
            }
        }
    }

    @Test("A hundred at once get the same bytes, of the new catalogue when there is one")
    func crowd() async throws {
        let shop = try await ScriptedShop()
        let outcome: Result<Void, any Error>
        do {
            try shop.serve(Self.catalogue("Mug"))
            try await Stand.with {
                $0.upstream = "127.0.0.1:\(shop.port)"
            } _: { stand in
                let mugs = try await crowd(of: stand)
                try shop.serve(Self.catalogue("Cup"))
                stand.clock.advance(by: .seconds(31))
                let cups = try await crowd(of: stand)
                #expect(mugs.tag != cups.tag)
                #expect(mugs.text.contains("Mug 7"))
                #expect(cups.text == mugs.text.replacing("Mug", with: "Cup"))
            }
            outcome = .success(())
        } catch { outcome = .failure(error) }
        await shop.close()
        try outcome.get()
    }

    /// What a hundred clients get, which must be the same for all.
    private func crowd(of stand: Stand) async throws -> (tag: String, text: String) {
        let client = stand.shop.client
        let request = HTTPClientRequest(url: try stand.url("/products"), limits: .wide)
        let answers = try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await client.send(request) } }
            return try await group.reduce(into: [HTTPClientResponse]()) { $0.append($1) }
        }
        let plain = try await stand.get("/products")
        #expect(answers.count == 100)
        #expect(Set(answers.map(\.body)) == [plain.body])
        #expect(Set(answers.map { $0.headers["Content-Encoding"] }) == ["gzip"])
        #expect(Set(answers.map { $0.headers["ETag"] }).count == 1)
        return (try #require(answers.first?.headers["ETag"]), plain.text)
    }

    private static func catalogue(_ name: String) throws -> String {
        String(decoding: try makeCatalogue((0..<50).map { "\(name) \($0)" }).encoded, as: UTF8.self)
    }
}
