import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Products over HTTP", .timeLimit(.minutes(1)))
struct ProductsRoutesTests {
    @Test("GET /products is the whole catalogue, with all that a cache wants to know")
    func list() async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            stand.clock.advance(by: .seconds(4))
            let response = try await stand.get("/products")
            #expect(response.status == 200)
            let products = try #require(response.json?["products"]?.array)
            #expect(products.count == 100)
            #expect(response.json?["total"]?.number?.integer == 100)
            for product in products {
                let sales = try #require(product.object?["sales"]?.number?.integer)
                #expect(product.object?["isPopular"]?.bool == (sales > 100))
            }
            #expect(response.headers["Content-Type"] == "application/json")
            #expect(response.headers["Age"] == "4")
            #expect(response.headers["Cache-Status"] == "larder; hit; ttl=6")
            #expect(response.headers["Last-Modified"] == "Fri, 15 Jan 2027 08:00:00 GMT")
            #expect(
                response.headers["Cache-Control"]
                    == "public, max-age=9, stale-while-revalidate=21, stale-if-error=3601")
            #expect(response.headers["X-Accel-Expires"] == "5")
        }
    }

    @Test("GET /products/{id} is that product's part of the list")
    func show() async throws {
        try await Stand.with { stand in
            let list = try await stand.get("/products")
            let product = try await stand.get("/products/p-7")
            #expect(product.status == 200)
            #expect(product.json?["id"] == "p-7")
            #expect(list.text.contains(product.text))
            #expect(product.headers["ETag"] != list.headers["ETag"])
            #expect(product.headers["Cache-Status"] == "larder; hit; ttl=10")
            #expect(try await stand.get("/products/p%2D7").body == product.body)
        }
    }

    @Test("What is not there is a 404 problem", arguments: ["/products/p-101", "/nowhere", "/products/", "/"])
    func notFound(target: String) async throws {
        try await Stand.with { stand in
            let response = try await stand.get(target)
            #expect(response.status == 404)
            expectProblem(response, 404, "Not Found")
        }
    }

    @Test("HEAD has the headers of GET and no body", arguments: ["/products", "/products/p-7"])
    func head(target: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.get(target)
            let get = try await stand.get(target)
            let head = try await stand.get(target, method: "HEAD")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.headers["Content-Length"] == "\(get.body.count)")
            let date = Set(["Date"])
            #expect(
                head.headers.all.filter { !date.contains($0.name) }
                    == get.headers.all.filter { !date.contains($0.name) })
        }
    }

    @Test("Another method is a 405 problem that names those there are", arguments: ["POST", "PUT", "DELETE", "PATCH"])
    func methodNotAllowed(method: String) async throws {
        try await Stand.with { stand in
            let response = try await stand.get("/products", method: method)
            #expect(response.status == 405)
            #expect(response.headers["Allow"] == "GET, HEAD, OPTIONS")
            expectProblem(response, 405, "Method Not Allowed")
        }
    }

    @Test("OPTIONS names the methods")
    func options() async throws {
        try await Stand.with { stand in
            let response = try await stand.get("/products/p-7", method: "OPTIONS")
            #expect(response.status == 204)
            #expect(response.headers["Allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test(
        "A client that has the revision gets a 304 with the headers of the 200",
        arguments: ["/products", "/products/p-7"])
    func notModified(target: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.get(target)
            let first = try await stand.get(target)
            let tag = try #require(first.headers["ETag"])
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let again = try await stand.get(target, headers: [HTTPHeader("If-None-Match", known)])
                #expect(again.status == 304)
                #expect(again.body.isEmpty)
                for name in ["ETag", "Age", "Cache-Control", "Cache-Status", "Last-Modified"] {
                    #expect(again.headers[name] == first.headers[name])
                }
            }
            let other = try await stand.get(target, headers: [HTTPHeader("If-None-Match", "\"other\"")])
            #expect(other.status == 200)
            #expect(other.body == first.body)
        }
    }

    @Test(
        "A query that is not known is refused, never ignored",
        arguments: [
            ("/products?page=3", "page"), ("/products/p-7?fields=id&x=1", "x"), ("/products?a+b%21", "a b!"),
        ])
    func unknownQuery(target: String, parameter: String) async throws {
        try await Stand.with { stand in
            let response = try await stand.get(target)
            #expect(response.status == 400)
            expectProblem(response, 400, "Bad Request")
            #expect(response.json?["detail"]?.string?.contains("\"\(parameter)\"") == true)
        }
    }

    @Test("A query that cannot be decoded is a 400 problem; an empty one is none")
    func oddQueries() async throws {
        try await Stand.with { stand in
            let malformed = try await stand.get("/products?a=%zz")
            #expect(malformed.status == 400)
            expectProblem(malformed, 400, "Bad Request")
            #expect(try await stand.get("/products?").status == 200)
        }
    }

    @Test("A refresh with the same products keeps the tag; the answer tells that it was fetched and kept")
    func unchangedRefresh() async throws {
        try await Stand.with { stand in
            let first = try await stand.get("/products")
            stand.clock.advance(by: .seconds(31))
            let second = try await stand.get("/products")
            #expect(second.headers["Cache-Status"] == "larder; fwd=stale; stored")
            #expect(second.headers["Age"] == "0")
            #expect(second.headers["ETag"] == first.headers["ETag"])
            #expect(second.body == first.body)
            #expect(try await stand.shop.requests() == 2)
        }
    }

    @Test("Within stale-while-revalidate the old answer comes at once, with one refresh behind it")
    func staleWhileRevalidate() async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            stand.clock.advance(by: .seconds(15))
            let stale = try await stand.get("/products")
            #expect(stale.headers["Cache-Status"] == "larder; hit; ttl=-5")
            #expect(stale.headers["Age"] == "15")
            try await eventually { try await stand.get("/products").headers["Age"] == "0" }
            #expect(try await stand.shop.requests() == 2)
        }
    }

    @Test("However many ask a cold service at once, the upstream is asked once")
    func oneFetch() async throws {
        try await Stand.with { stand in
            try await stand.shop.fail("slow")
            try await stand.restart()
            let client = stand.shop.client
            let request = HTTPClientRequest(url: try stand.url("/products"), limits: .wide)
            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<32 { group.addTask { try await client.send(request).status } }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(statuses == [200])
            #expect(try await stand.shop.requests() <= 2)
        }
    }

    private func expectProblem(
        _ response: HTTPClientResponse, _ status: Int, _ title: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(response.headers["Content-Type"] == "application/problem+json", sourceLocation: sourceLocation)
        #expect(response.headers["Cache-Control"] == "no-store", sourceLocation: sourceLocation)
        #expect(response.json?["type"] == "about:blank", sourceLocation: sourceLocation)
        #expect(response.json?["title"]?.string == title, sourceLocation: sourceLocation)
        #expect(response.json?["status"]?.number?.integer == status, sourceLocation: sourceLocation)
    }
}
