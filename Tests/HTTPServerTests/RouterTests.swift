import HTTPServer
import Locks
import Testing

@Suite struct RouterTests {
    private func named(_ name: String) -> ClosureHTTPHandler {
        handler { request in
            let id = request.pathParameters["id"].map { ":" + $0 } ?? ""
            return HTTPResponse(status: .ok, body: HTTPBody(text: name + id))
        }
    }

    private func makeRouter(observer: (any RouteObserver)? = nil) -> Router {
        Router(
            [
                Route(.get, "/products/{id}", named("one")), Route(.get, "/products", named("all")),
                Route(.get, "/products/popular", named("popular")), Route(.post, "/products", named("make")),
                Route(.get, "/", named("root")),
            ], observer: observer)
    }

    @Test(arguments: [
        ("/products", "all"), ("/products?limit=1", "all"), ("/%70roducts", "all"), ("/products/7", "one:7"),
        ("/products/popular", "popular"), ("/products/p%6Fpular", "popular"), ("/products/a%2Fb%20c", "one:a/b c"),
        ("/", "root"), ("/products/caf%C3%A9", "one:caf\u{e9}"), ("/products/caf\u{e9}", "one:caf\u{e9}"),
        ("/%70roducts/p%6Fpular?x", "popular"), ("/%70roducts/7", "one:7"), ("/products/%25", "one:%"),
        ("/products/a+b", "one:a+b"),
    ])
    func findsTheHandler(target: String, name: String) async throws {
        let response = try await makeRouter().respond(to: HTTPRequest(target: target))
        #expect(response.body.text == name)
    }

    @Test(arguments: [
        "/product", "/products/", "/products/1/2", "//products", "/products//", "", "*", "/products/7/", "/%70roducts/",
    ])
    func answers404(target: String) async throws {
        let response = try await makeRouter().respond(to: HTTPRequest(target: target))
        #expect(response.status == .notFound)
        #expect(response.headers.first("Content-Type") == "application/problem+json")
    }

    @Test(arguments: ["/products/%zz", "/products/%f", "/products/%ff", "/products/%00", "/none/%zz", "/%zz"])
    func refusesAPathThatCannotBeDecoded(target: String) async throws {
        await #expect(throws: HTTPRequestError.malformedPath(target)) {
            try await makeRouter().respond(to: HTTPRequest(target: target))
        }
    }

    @Test(arguments: [HTTPMethod.put, .delete, .patch, .trace])
    func answers405WithAllow(method: HTTPMethod) async throws {
        let response = try await makeRouter().respond(to: HTTPRequest(method: method, target: "/products"))
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers.first("Allow") == "GET, HEAD, OPTIONS, POST")
    }

    @Test func answersOptionsWithAllow() async throws {
        let one = try await makeRouter().respond(to: HTTPRequest(method: .options, target: "/products/7"))
        #expect(one.status == .noContent)
        #expect(one.headers.first("Allow") == "GET, HEAD, OPTIONS")
        let all = try await makeRouter().respond(to: HTTPRequest(method: .options, target: "*"))
        #expect(all.headers.first("Allow") == "GET, HEAD, OPTIONS, POST")
    }

    @Test func servesHeadByGet() async throws {
        let response = try await makeRouter().respond(to: HTTPRequest(method: .head, target: "/products"))
        #expect(response.body.text == "all")
    }

    @Test func answers501ToAMethodNobodyKnows() async throws {
        let response = try await makeRouter().respond(to: HTTPRequest(method: .other, target: "/products"))
        #expect(response.status == .notImplemented)
    }

    @Test func tellsTheObserverTheTemplateAndTheOutcome() async throws {
        final class Observer: RouteObserver, Sendable {
            let seen = Mutex<[String]>([])

            func answered(
                _ request: HTTPRequest, route: RoutePattern?, outcome: Result<HTTPResponse, any Error>,
                duration: Duration
            ) {
                let code = (try? outcome.get().status.code) ?? 0
                seen.withLock { $0.append("\(route?.description ?? "-") \(code) \(duration >= .zero)") }
            }
        }
        let observer = Observer()
        let router = makeRouter(observer: observer)
        for target in ["/products", "/products/7", "/none", "/products/%zz"] {
            _ = try? await router.respond(to: HTTPRequest(target: target))
        }
        _ = try await router.respond(to: HTTPRequest(method: .put, target: "/products"))
        let expected = ["/products 200", "/products/{id} 200", "- 404", "- 0", "/products 405"].map { $0 + " true" }
        #expect(observer.seen.withLock { $0 } == expected)
    }
}
