import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct GzipRoutesTests {
    private let service: InMemoryService

    init() throws { service = try InMemoryService() }

    @Test(arguments: [
        "/products", "/products?view=display", "/products?limit=50", "/products?q=lot&sort=-price&fields=name",
    ])
    func `gzip has the bytes of the plain response and a tag of its own`(target: String) async throws {
        _ = try await service.warm()
        let plain = try await service.get(target)
        let zipped = try await service.get(target, ["Accept-Encoding": "deflate, gzip;q=0.9, br"])
        try #require(plain.body.count >= 860)
        #expect(plain.headers["Content-Encoding"] == nil)
        #expect(zipped.headers["Content-Encoding"] == "gzip")
        #expect(zipped.body.count < plain.body.count)
        #expect(Gzip.unpacked(zipped.body) == plain.body)
        #expect(zipped.headers["ETag"] == plain.headers["ETag"].map { "\($0.dropLast())-gzip\"" })
        #expect(zipped.headers["Link"] == plain.headers["Link"])
        for answer in [plain, zipped] {
            #expect(answer.headers["Vary"] == "Accept-Encoding")
            #expect(answer.headers["Content-Type"] == "application/json")
        }
    }

    @Test func `a short response is compressed only where identity is excluded`() async throws {
        _ = try await service.warm()
        let plain = try await service.get("/products/p-7", ["Accept-Encoding": "gzip"])
        try #require(plain.body.count < 860)
        #expect(plain.headers["Content-Encoding"] == nil)
        #expect(plain.headers["Vary"] == "Accept-Encoding")
        for target in ["/products/p-7", "/products/p-7?fields=name", "/products?ids=p-7"] {
            let plain = try await service.get(target)
            let zipped = try await service.get(target, ["Accept-Encoding": "gzip, identity;q=0"])
            #expect(zipped.headers["Content-Encoding"] == "gzip")
            #expect(Gzip.unpacked(zipped.body) == plain.body)
            #expect(zipped.headers["ETag"] != plain.headers["ETag"])
        }
    }

    @Test func `an unacceptable coding is a 406 problem, an unknown one gets identity`() async throws {
        _ = try await service.warm()
        let refused = try await service.get("/products", ["Accept-Encoding": "br, *;q=0"])
        #expect(refused.status == 406)
        #expect(refused.headers["Content-Type"] == "application/problem+json")
        #expect(refused.headers["Vary"] == "Accept-Encoding")
        let plain = try await service.get("/products", ["Accept-Encoding": "br"])
        #expect(plain.status == 200)
        #expect(plain.headers["Content-Encoding"] == nil)
    }

    @Test func `the tag compared is that of the negotiated coding`() async throws {
        _ = try await service.warm()
        let gzip = ["Accept-Encoding": "gzip"]
        let plain = try #require(try await service.get("/products").headers["ETag"])
        let zipped = try #require(try await service.get("/products", gzip).headers["ETag"])
        for (coding, condition, tags, status) in [
            (gzip, "If-None-Match", zipped, 304), (gzip, "If-None-Match", "W/\(zipped)", 304),
            (gzip, "If-None-Match", plain, 200), ([:], "If-None-Match", zipped, 200),
            ([:], "If-None-Match", "\(plain), \(zipped)", 304), (gzip, "If-None-Match", "*", 304),
            (gzip, "If-Match", zipped, 200), (gzip, "If-Match", plain, 412),
        ] {
            let answer = try await service.get("/products", coding.merging([condition: tags]) { $1 })
            #expect(answer.status == status)
            if status == 304 {
                #expect(answer.headers["ETag"] == (coding.isEmpty ? plain : zipped))
                #expect(answer.headers["Vary"] == "Accept-Encoding")
            }
        }
    }
}
