@testable import HTTPServer
import TestSupport
import Testing

@Suite struct RouterTests {
    private func named(_ name: String) -> ClosureHTTPHandler {
        handler { request in
            let id = request.pathParameters["id"].map { ":" + $0 } ?? ""
            return HTTPResponse(status: .ok, body: HTTPBody(text: name + id))
        }
    }

    private func makeRouter(observing observe: ((RoutePattern?) -> any RouteObserver)? = nil) -> Router {
        Router(
            [
                Route(.get, "/products/{id}", named("one")), Route(.get, "/products", named("all")),
                Route(.get, "/products/popular", named("popular")), Route(.post, "/products", named("make")),
                Route(.get, "/", named("root")),
            ], observing: observe)
    }

    @Test(arguments: [
        ("/products", "all"), ("/products?limit=1", "all"), ("/%70roducts", "all"), ("/products/7", "one:7"),
        ("/products/popular", "popular"), ("/products/p%6Fpular", "popular"), ("/products/a%2Fb%20c", "one:a/b c"),
        ("/", "root"), ("/products/caf%C3%A9", "one:caf\u{e9}"), ("/products/caf\u{e9}", "one:caf\u{e9}"),
        ("/%70roducts/p%6Fpular?x", "popular"), ("/%70roducts/7", "one:7"), ("/products/%25", "one:%"),
        ("/products/a+b", "one:a+b"),
    ])
    func `finds the handler`(target: String, name: String) async throws {
        let response = try await makeRouter().response(to: HTTPRequest(target: target))
        #expect(response.body.text == name)
    }

    @Test(arguments: [
        "/product", "/products/", "/products/1/2", "//products", "/products//", "", "*", "/products/7/", "/%70roducts/",
    ])
    func `answers 404`(target: String) async throws {
        let response = try await makeRouter().response(to: HTTPRequest(target: target))
        #expect(response.status == .notFound)
        #expect(response.body.text.contains(#""detail":"there is nothing at this path""#))
        #expect(response.headers.first("Content-Type") == "application/problem+json")
    }

    @Test(arguments: ["/products/%zz", "/products/%f", "/products/%ff", "/products/%00", "/none/%zz", "/%zz"])
    func `refuses a path that cannot be decoded`(target: String) async throws {
        await #expect(throws: HTTPRequestError.malformedPath(target)) {
            try await makeRouter().response(to: HTTPRequest(target: target))
        }
    }

    @Test(arguments: [HTTPMethod.put, .delete, .patch, .trace])
    func `answers 405 with allow`(method: HTTPMethod) async throws {
        let response = try await makeRouter().response(to: HTTPRequest(method: method, target: "/products"))
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers.first("Allow") == "GET, HEAD, OPTIONS, POST")
        #expect(response.body.text.contains(#""detail":"this resource takes GET, HEAD, OPTIONS and POST""#))
    }

    @Test func `answers options with allow`() async throws {
        let one = try await makeRouter().response(to: HTTPRequest(method: .options, target: "/products/7"))
        #expect(one.status == .noContent)
        #expect(one.headers.first("Allow") == "GET, HEAD, OPTIONS")
        let all = try await makeRouter().response(to: HTTPRequest(method: .options, target: "*"))
        #expect(all.headers.first("Allow") == "GET, HEAD, OPTIONS, POST")
    }

    @Test func `serves head by get`() async throws {
        let response = try await makeRouter().response(to: HTTPRequest(method: .head, target: "/products"))
        #expect(response.body.text == "all")
    }

    @Test func `answers 501 to a method nobody knows`() async throws {
        let response = try await makeRouter().response(to: HTTPRequest(method: .other, target: "/products"))
        #expect(response.status == .notImplemented)
        #expect(response.body.text.contains(#""detail":"this method is not known here""#))
    }

    @Test func `tells the observer of the place method status and time`() async throws {
        final class Observer: RouteObserver {
            let place: String
            let seen: Shared<[String]>

            init(place: String, seen: Shared<[String]>) {
                (self.place, self.seen) = (place, seen)
            }

            func record(_ method: HTTPMethod, _ status: HTTPStatus, after nanoseconds: Int64) {
                seen.withLock { $0.append("\(place) \(method) \(status.code) \(nanoseconds >= 0)") }
            }
        }
        let seen = Shared<[String]>([])
        let router = makeRouter { Observer(place: $0?.description ?? "-", seen: seen) }
        for target in ["/products", "/products/7", "/none", "/products/%zz"] {
            _ = try? await router.response(to: HTTPRequest(target: target))
        }
        _ = try await router.response(to: HTTPRequest(method: .put, target: "/products"))
        _ = try await router.response(to: HTTPRequest(method: .other, target: "/products"))
        let expected = [
            "/products GET 200", "/products/{id} GET 200", "- GET 404", "- GET 400", "/products PUT 405",
            "/products OTHER 501",
        ]
        #expect(seen.withLock { $0 } == expected.map { $0 + " true" })
    }

    @Test func `tells the observer of what has to be waited for when it is there`() async throws {
        let observer = StatusObserver()
        let seen = observer.seen
        let late = ClosureHTTPHandler { request in
            #expect(seen.withLock { $0 } == [])
            if request.rawQuery != nil { throw ProblemDetails(status: .badRequest) }
            return HTTPResponse(status: .ok)
        }
        for (target, code) in [("/late", 200), ("/late?x", 400)] {
            let router = Router([Route(.get, "/late", late)]) { _ in observer }
            _ = try? await router.response(to: HTTPRequest(target: target))
            #expect(seen.withLock { $0 } == [code])
            seen.withLock { $0 = [] }
        }
    }

    @Test
    func `what nobody expected is observed as what the client gets, and thrown on for the server to report`()
        async throws
    {
        struct Mishap: Error {}
        struct Failing: HTTPHandler {
            let isLate: Bool
            let error: any Error

            func respond(to request: HTTPRequest) throws -> EventualResponse {
                guard isLate else { throw error }
                return .pending { throw error }
            }
        }
        let teapot = HTTPStatus(code: 503, reason: "Test")
        for isLate in [false, true] {
            for (error, code) in [
                (Mishap(), 500), (HTTPUnexpectedError(cause: Mishap(), response: HTTPResponse(status: teapot)), 503),
            ] as [(any Error, Int)] {
                let observer = StatusObserver()
                let router = Router([Route(.get, "/", Failing(isLate: isLate, error: error))]) { _ in observer }
                await #expect(throws: (any Error).self) { try await router.response(to: HTTPRequest(target: "/")) }
                #expect(observer.seen.withLock { $0 } == [code])
            }
        }
    }

    @Test(arguments: [false, true])
    func `the answer that an error knows is made once`(isLate: Bool) async throws {
        struct Counted: HTTPResponseError {
            let made: Shared<Int>

            var response: HTTPResponse {
                made.withLock { $0 += 1 }
                return HTTPResponse(status: .badRequest)
            }
        }
        struct Failing: HTTPHandler {
            let isLate: Bool
            let error: Counted

            func respond(to request: HTTPRequest) throws -> EventualResponse {
                guard isLate else { throw error }
                return .pending { throw error }
            }
        }
        let (error, observer) = (Counted(made: Shared(0)), StatusObserver())
        let router = Router([Route(.get, "/", Failing(isLate: isLate, error: error))]) { _ in observer }
        #expect(try await router.response(to: HTTPRequest(target: "/")).status == .badRequest)
        #expect(error.made.withLock { $0 } == 1)
        #expect(observer.seen.withLock { $0 } == [400])
    }
}
