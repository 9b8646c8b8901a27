import TestSupport
import Testing

@testable import Service

@Suite("Methods over raw connections", .timeLimit(.minutes(1)))
struct MethodsRoutesTests {
    private func exchange(
        _ stand: Stand, _ line: String, _ fields: String = "", admin: Bool = false
    ) async throws -> RawExchange {
        try #require(
            await RawExchange.of(
                "\(line)\r\nHost: localhost\r\nConnection: close\r\n\(fields)\r\n", port: try stand.port(admin: admin)))
    }

    @Test(
        "HEAD is GET without the body, its length included, whatever the answer",
        arguments: [
            ("/products", "", 200, false), ("/products", "Accept-Encoding: gzip\r\n", 200, false),
            ("/products?limit=30", "Accept-Encoding: gzip\r\n", 200, false), ("/products/p-7", "", 200, false),
            ("/products?limit=x", "", 400, false), ("/products/none", "", 404, false), ("/nowhere", "", 404, false),
            ("/products", "Accept-Encoding: *;q=0\r\n", 406, false), ("/products", "If-Match: \"x\"\r\n", 412, false),
            ("/livez", "", 200, false), ("/readyz", "", 200, false), ("/healthz?verbose", "", 200, false),
            ("/graph", "", 200, true), ("/graph.html", "", 200, true), ("/", "", 200, true), ("/livez", "", 200, true),
            ("/products?explain=0", "", 400, true), ("/nowhere", "", 404, true),
        ])
    func head(target: String, fields: String, status: Int, admin: Bool) async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let get = try await exchange(stand, "GET \(target) HTTP/1.1", fields, admin: admin)
            let head = try await exchange(stand, "HEAD \(target) HTTP/1.1", fields, admin: admin)
            #expect(get.status == status)
            #expect(head.status == status)
            #expect(head.rest == [])
            #expect(!get.rest.isEmpty)
            if target != "/graph" && target != "/graph.html" {
                #expect(head["Content-Length"] == "\(get.rest.count)")
            }
            for name in ["Content-Type", "Content-Encoding", "ETag", "Vary", "Cache-Control", "Cache-Status"] {
                #expect(head[name] == get[name])
            }
        }
    }

    @Test("A 304 has neither body nor length, nor says how the body it lacks is coded", arguments: ["GET", "HEAD"])
    func notModified(method: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let fields = "Accept-Encoding: gzip\r\n"
            let first = try await exchange(stand, "GET /products HTTP/1.1", fields)
            let tag = try #require(first["ETag"])
            let again = try await exchange(stand, "\(method) /products HTTP/1.1", "\(fields)If-None-Match: \(tag)\r\n")
            #expect(again.status == 304)
            #expect(again.rest == [])
            for name in ["Content-Length", "Content-Encoding", "Content-Type"] { #expect(again[name] == nil) }
            for name in ["ETag", "Vary", "Age", "Cache-Control", "Cache-Status", "Last-Modified"] {
                #expect(again[name] != nil)
                #expect(again[name] == first[name])
            }
        }
    }

    @Test(
        "OPTIONS names the methods of a place, and * those of all",
        arguments: [
            ("/products", 204, false), ("/products/p-7", 204, false), ("/livez", 204, false), ("*", 204, false),
            ("/graph", 204, true), ("*", 204, true), ("/nowhere", 404, false), ("/products?limit=x", 204, false),
        ])
    func options(target: String, status: Int, admin: Bool) async throws {
        try await Stand.with { stand in
            let answer = try await exchange(stand, "OPTIONS \(target) HTTP/1.1", admin: admin)
            #expect(answer.status == status)
            #expect(answer["Allow"] == (status == 204 ? "GET, HEAD, OPTIONS" : nil))
            #expect(answer["Content-Length"] == (status == 204 ? nil : "\(answer.rest.count)"))
            #expect(answer.rest.isEmpty == (status == 204))
        }
    }

    @Test(
        "What is not served is one problem, which says what is, and the connection ends",
        arguments: [
            ("POST /products HTTP/1.1", 405, "GET, HEAD, OPTIONS"), ("PUT /livez HTTP/1.1", 405, "GET, HEAD, OPTIONS"),
            ("DELETE /products/p-7 HTTP/1.1", 405, "GET, HEAD, OPTIONS"),
            ("PATCH /products HTTP/1.1", 405, "GET, HEAD, OPTIONS"),
            ("TRACE /products HTTP/1.1", 405, "GET, HEAD, OPTIONS"), ("POST /nowhere HTTP/1.1", 404, nil),
            ("BREW /products HTTP/1.1", 501, nil), ("get /products HTTP/1.1", 501, nil),
            ("PROPFIND /products HTTP/1.1", 501, nil), ("CONNECT localhost:80 HTTP/1.1", 400, nil),
            ("GET /products HTTP/2.0", 505, nil),
            ("GET * HTTP/1.1", 400, nil),
        ] as [(String, Int, String?)])
    func refused(line: String, status: Int, allow: String?) async throws {
        try await Stand.with { stand in
            let answer = try await exchange(stand, line)
            #expect(answer.status == status)
            #expect(answer["Allow"] == allow)
            #expect(answer["Content-Type"] == "application/problem+json")
            #expect(answer["Content-Length"] == "\(answer.rest.count)")
            #expect(String(decoding: answer.rest, as: UTF8.self).contains("\"status\":\(status)"))
        }
    }

    @Test("A client of HTTP/1.0 gets the same and the end of the connection, unless it wants to go on")
    func oldClient() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let port = try stand.port()
            let once = try #require(await RawExchange.of("GET /products HTTP/1.0\r\n\r\n", port: port))
            #expect(once.status == 200)
            #expect(once["Content-Length"] == "\(once.rest.count)")
            #expect(once["Transfer-Encoding"] == nil)
            let kept = "GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
            let twice = try #require(await RawExchange.of(kept + "GET /livez HTTP/1.0\r\n\r\n", port: port))
            #expect(twice["Connection"] == "keep-alive")
            #expect(String(decoding: twice.rest, as: UTF8.self).contains("HTTP/1.1 200 OK"))
        }
    }

    @Test("A range is not looked at, and none is offered")
    func range() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let answer = try await exchange(stand, "GET /products HTTP/1.1", "Range: bytes=0-9\r\nIf-Range: \"x\"\r\n")
            #expect(answer.status == 200)
            #expect(answer["Content-Range"] == nil)
            #expect(answer["Accept-Ranges"] == nil)
            #expect(answer["Content-Length"] == "\(answer.rest.count)")
        }
    }
}
