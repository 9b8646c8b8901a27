import HTTPServer
import Testing
import Tracing

@testable import Service

@Suite("The name of a request in its answer")
struct RequestIDHandlerTests {
    private struct Mishap: Error {}

    private func answer(
        headers: [(String, String)] = [], _ respond: @escaping @Sendable () throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await RequestIDHandler(upstream: ClosureHTTPHandler { _ in try respond() })
            .respond(to: HTTPRequest(target: "/", headers: headers))
    }

    @Test("Answers that went well do not have it, whoever asks", arguments: [200, 204, 304])
    func success(code: Int) async throws {
        let response = try await answer(headers: [("X-Request-Id", "mine")]) {
            HTTPResponse(status: HTTPStatus(code: code, reason: "Test"), headers: ["ETag": "\"1\""])
        }
        #expect(response.headers == ["ETag": "\"1\""])
    }

    @Test("Errors have the client's name, or one that was made", arguments: [400, 404, 503])
    func errors(code: Int) async throws {
        let problem = ProblemDetails(status: HTTPStatus(code: code, reason: "Test"))
        for respond in [{ problem.response() }, { throw problem }] as [@Sendable () throws -> HTTPResponse] {
            let named = try await answer(headers: [("x-request-id", "mine")], respond)
            #expect(named.status.code == code)
            #expect(named.headers.first("X-Request-Id") == "mine")
            #expect(named.headers.first("Content-Type") == "application/problem+json")
            #expect(try await answer(respond).headers.first("X-Request-Id")?.count == 32)
        }
    }

    @Test("A name that could do harm is not repeated", arguments: ["a b", "<b>", ""])
    func harmful(name: String) async throws {
        let response = try await answer(headers: [("X-Request-Id", name)]) { throw ProblemDetails(status: .notFound) }
        #expect(response.headers.first("X-Request-Id")?.count == 32)
    }

    @Test("An error that is none of the client's is still reported with its cause, and its answer has the name")
    func unexpected() async throws {
        let error = try await #require(throws: HTTPUnexpectedError.self) {
            try await answer(headers: [("X-Request-Id", "mine")]) { throw Mishap() }
        }
        #expect(error.cause is Mishap)
        #expect(error.response.status == .internalServerError)
        #expect(error.response.headers.first("X-Request-Id") == "mine")
    }

    @Test("One that has an answer already keeps its cause and its fields")
    func unexpectedWithResponse() async throws {
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
