import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MethodsRoutesTests {
    private func exchange(
        _ stand: Stand, _ line: String, _ fields: String = "", admin: Bool = false
    ) async throws -> RawResponse {
        let port = try stand.port(admin: admin)
        return try await BackgroundThread.run {
            let client = try RawClient(port: port)
            try client.send("\(line)\r\nHost: localhost\r\nConnection: close\r\n\(fields)\r\n")
            return try client.receiveToEnd()
        }
    }

    @Test func `HEAD is GET without the body, its length included`() async throws {
        let cases: [(target: String, fields: String, status: Int, admin: Bool)] = [
            ("/products", "", 200, false), ("/products", "Accept-Encoding: gzip\r\n", 200, false),
            ("/products?limit=30", "Accept-Encoding: gzip\r\n", 200, false), ("/products/p-7", "", 200, false),
            ("/products?view=display", "", 200, false), ("/products/p-7?view=display", "", 200, false),
            ("/products?limit=3&sort=-name", "", 200, false), ("/products/p-7?fields=name", "", 200, false),
            ("/products?limit=x", "", 400, false), ("/products/none", "", 404, false), ("/nowhere", "", 404, false),
            ("/categories", "", 200, false),
            ("/products", "Accept-Encoding: *;q=0\r\n", 406, false), ("/products", "If-Match: \"x\"\r\n", 412, false),
            ("/livez", "", 200, false), ("/readyz", "", 200, false), ("/healthz?verbose", "", 200, false),
            ("/graph", "", 200, true), ("/graph.html", "", 200, true), ("/", "", 200, true), ("/livez", "", 200, true),
            ("/products?explain=0", "", 400, true), ("/nowhere", "", 404, true),
        ]
        try await Stand.with { stand in
            _ = try await stand.warm()
            for (target, fields, status, admin) in cases {
                let get = try await exchange(stand, "GET \(target) HTTP/1.1", fields, admin: admin)
                let head = try await exchange(stand, "HEAD \(target) HTTP/1.1", fields, admin: admin)
                let what: Comment = "\(target) \(fields)"
                #expect(get.status == status, what)
                #expect(head.status == status, what)
                #expect(head.body == [], what)
                #expect(!get.body.isEmpty, what)
                if target != "/graph" && target != "/graph.html" {
                    #expect(head["Content-Length"] == "\(get.body.count)", what)
                }
                for name in [
                    "Content-Type", "Content-Encoding", "ETag", "Vary", "Cache-Control", "Cache-Status",
                    "Last-Modified", "Link",
                ] {
                    #expect(head[name] == get[name], what)
                }
            }
        }
    }

    @Test(arguments: ["GET", "HEAD"])
    func `a 304 has no body, length, type or coding`(method: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let fields = "Accept-Encoding: gzip\r\n"
            let first = try await exchange(stand, "GET /products HTTP/1.1", fields)
            let tag = try #require(first["ETag"])
            let again = try await exchange(stand, "\(method) /products HTTP/1.1", "\(fields)If-None-Match: \(tag)\r\n")
            #expect(again.status == 304)
            #expect(again.body == [])
            for name in ["Content-Length", "Content-Encoding", "Content-Type"] { #expect(again[name] == nil) }
            for name in ["ETag", "Vary", "Cache-Control", "Cache-Status", "Last-Modified"] {
                #expect(again[name] != nil)
                #expect(again[name] == first[name])
            }
        }
    }

    @Test func `OPTIONS names the methods of a path, and * those of all`() async throws {
        try await Stand.with { stand in
            for (target, status, admin) in [
                ("/products", 204, false), ("/products/p-7", 204, false), ("/livez", 204, false), ("*", 204, false),
                ("/graph", 204, true), ("*", 204, true), ("/nowhere", 404, false), ("/products?limit=x", 204, false),
            ] {
                let answer = try await exchange(stand, "OPTIONS \(target) HTTP/1.1", admin: admin)
                #expect(answer.status == status, "\(target)")
                let allowed = target == "*" && admin ? "GET, HEAD, OPTIONS, POST" : "GET, HEAD, OPTIONS"
                #expect(answer["Allow"] == (status == 204 ? allowed : nil), "\(target)")
                #expect(answer["Content-Length"] == (status == 204 ? nil : "\(answer.body.count)"), "\(target)")
                #expect(answer.body.isEmpty == (status == 204), "\(target)")
            }
        }
    }

    @Test func `ranges are ignored and not offered`() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let answer = try await exchange(stand, "GET /products HTTP/1.1", "Range: bytes=0-9\r\nIf-Range: \"x\"\r\n")
            #expect(answer.status == 200)
            #expect(answer["Content-Range"] == nil)
            #expect(answer["Accept-Ranges"] == nil)
            #expect(answer["Content-Length"] == "\(answer.body.count)")
        }
    }
}
