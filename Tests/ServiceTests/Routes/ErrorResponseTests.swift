@testable import Serving
@testable import HTTPServer
import Products
import TestSupport
import Testing
import Tracing

@testable import Service

@Suite struct ProductsFailureResponseTests {
    @Test(
        arguments: [
            (.unavailable(reason: "refused", since: nil, retryAfter: .milliseconds(200)), "1"),
            (.unavailable(reason: "refused", since: nil, retryAfter: .milliseconds(1200)), "2"),
            (.unavailable(reason: "refused", since: nil, retryAfter: .seconds(30)), "30"),
            (.unavailable(reason: "refused", since: nil, retryAfter: .zero), "1"),
            (.upstreamStatus(429, retryAfter: .seconds(7)), "7"), (.upstreamStatus(500, retryAfter: nil), "1"),
            (.notStored, "1"),
        ] as [(ProductsFailure, String)])
    func `Retry-After is in whole seconds, rounded up, at least one`(failure: ProductsFailure, seconds: String) {
        #expect(failure.response.status == .serviceUnavailable)
        #expect(failure.response.headers.first("Retry-After") == seconds)
    }

    @Test func `clients see no internals`() {
        let response = ProductsFailure.storeFailed(detail: "/var/lib/larder: I/O error").response
        #expect(response.headers.first("Content-Type") == "application/problem+json")
        #expect(!response.body.text.contains("/var/lib"))
        #expect(response.body.text.contains("no catalogue can be served at the moment"))
    }
}

@Suite struct RequestIDHandlerTests {
    private struct Mishap: Error {}

    private func answer(
        headers: [(String, String)] = [], _ respond: @escaping @Sendable () throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await BarePort(ClosureHTTPHandler { _ in try respond() }).within([RequestIDHandler.middleware])
            .respond(to: HTTPRequest(target: "/", headers: headers))
    }

    @Test(arguments: [200, 204, 304])
    func `a successful response has no id`(code: Int) async throws {
        let response = try await answer(headers: [("X-Request-Id", "mine")]) {
            HTTPResponse(status: HTTPStatus(code: code, reason: "Test"), headers: ["ETag": "\"1\""])
        }
        #expect(response.headers == ["ETag": "\"1\""])
    }

    @Test(arguments: [400, 404, 503])
    func `an error has the client's id or a new one`(code: Int) async throws {
        let problem = ProblemDetails(status: HTTPStatus(code: code, reason: "Test"))
        for respond in [{ problem.response() }, { throw problem }] as [@Sendable () throws -> HTTPResponse] {
            let named = try await answer(headers: [("x-request-id", "mine")], respond)
            #expect(named.status.code == code)
            #expect(named.headers.first("X-Request-Id") == "mine")
            #expect(named.headers.first("Content-Type") == "application/problem+json")
            #expect(try await answer(respond).headers.first("X-Request-Id")?.count == 32)
        }
    }

    @Test(arguments: ["a b", "<b>", ""])
    func `a harmful id is not repeated`(name: String) async throws {
        let response = try await answer(headers: [("X-Request-Id", name)]) { throw ProblemDetails(status: .notFound) }
        #expect(response.headers.first("X-Request-Id")?.count == 32)
    }

    @Test func `an unexpected error keeps its cause, and its response has the id`() async throws {
        let error = try await #require(throws: HTTPUnexpectedError.self) {
            try await answer(headers: [("X-Request-Id", "mine")]) { throw Mishap() }
        }
        #expect(error.cause is Mishap)
        #expect(error.response.status == .internalServerError)
        #expect(error.response.headers.first("X-Request-Id") == "mine")
    }

    @Test func `an unexpected error with a response keeps its cause and fields`() async throws {
        let error = try await #require(throws: HTTPUnexpectedError.self) {
            try await answer {
                throw HTTPUnexpectedError(
                    cause: Mishap(), response: HTTPResponse(status: .internalServerError, headers: ["Vary": "Origin"]))
            }
        }
        #expect(error.cause is Mishap)
        #expect(error.response.headers.first("Vary") == "Origin")
        #expect(error.response.headers.contains("X-Request-Id"))
    }
}
