import TestSupport
import Testing

@testable import HTTPServer

@Suite struct RequestIDHandlerTests {
    private struct Mishap: Error {}

    private func answer(
        headers: [(String, String)] = [], _ respond: @escaping @Sendable () throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await BarePort(ClosureHTTPHandler { _ in try respond() }).within([RequestIDHandler.middleware])
            .response(to: HTTPRequest(target: "/", headers: headers))
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
