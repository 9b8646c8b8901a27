import HTTPServer
import Testing

@testable import Service

@Suite("The access log")
struct AccessLogTests {
    @Test(
        "What is logged follows the mode, and probes are logged only when they fail",
        arguments: [
            (.all, "/products", 200, true), (.all, "/readyz", 200, false), (.all, "/readyz", 503, true),
            (.all, "/nowhere", 404, true), (.errors, "/products", 200, false), (.errors, "/nowhere", 404, false),
            (.errors, "/products", 500, true), (.errors, "/products", 503, false), (.off, "/products", 500, false),
        ] as [(HTTPConfiguration.AccessLog, String, Int, Bool)])
    func modes(mode: HTTPConfiguration.AccessLog, path: String, status: Int, isLogged: Bool) async throws {
        let log = LogRecorder()
        let upstream = ClosureHTTPHandler { _ in HTTPResponse(status: HTTPStatus(code: status, reason: "Test")) }
        let handler = AccessLog(mode: mode, logger: log.logger).around(upstream)
        let response = try await handler.respond(to: HTTPRequest(target: path))
        #expect(response.status.code == status)
        #expect(log.lines == (isLogged ? ["info: request"] : []))
    }

    @Test("A problem that is thrown is logged by its status and thrown on")
    func thrown() async throws {
        let log = LogRecorder()
        let upstream = ClosureHTTPHandler { _ in throw ProblemDetails(status: .notFound) }
        let handler = AccessLog(mode: .all, logger: log.logger).around(upstream)
        await #expect(throws: ProblemDetails.self) { try await handler.respond(to: HTTPRequest(target: "/x")) }
        #expect(log.lines == ["info: request"])
    }
}
