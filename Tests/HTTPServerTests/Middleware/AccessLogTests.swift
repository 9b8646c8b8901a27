import HTTPServer
import Logging
import TestSupport
import Testing

@Suite struct AccessLogTests {
    private let log = LogRecorder()

    /// The metadata of the lines that one request leaves in the log.
    private func logged(
        _ request: HTTPRequest, mode: AccessLogMode = .all,
        _ respond: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse = { _ in HTTPResponse(status: .ok) }
    ) async throws -> [[String: String]] {
        let handler = logged(ClosureHTTPHandler { try respond($0) }, mode)
        _ = try? await handler.response(to: request)
        return log.metadata(of: "info: request")
    }

    private func logged(_ handler: any HTTPHandler, _ mode: AccessLogMode) -> any HTTPPortHandler {
        BarePort(handler).within([AccessLogHandler.middleware(mode, logger: log.logger)])
    }

    @Test(
        arguments: [
            (.all, "/products", 200, true), (.all, "/readyz", 200, false), (.all, "/readyz", 503, true),
            (.all, "/readyz?verbose", 200, false), (.all, "/nowhere", 404, true), (.errors, "/products", 200, false),
            (.errors, "/nowhere", 404, false), (.errors, "/products", 500, true), (.errors, "/products", 503, false),
            (.off, "/products", 500, false),
        ] as [(AccessLogMode, String, Int, Bool)])
    func `lines follow the mode, and probes are logged only when they fail`(
        mode: AccessLogMode, path: String, status: Int, isLogged: Bool
    ) async throws {
        let response = HTTPResponse(status: HTTPStatus(code: status, reason: "Test"))
        let atHand = logged(AtHandHandler(response: response), mode)
        let pending = logged(ClosureHTTPHandler { _ in response }, mode)
        for handler in [atHand, pending] {
            #expect(try await handler.response(to: HTTPRequest(target: path)).status.code == status)
        }
        #expect(log.seen == (isLogged ? ["info: request", "info: request"] : []))
    }

    @Test func `no handler is added when the log is off`() {
        #expect(logged(AtHandHandler(response: HTTPResponse(status: .ok)), .off) is BarePort)
    }

    @Test(arguments: [true, false])
    func `a thrown problem is logged by its status and rethrown`(isAtHand: Bool) async throws {
        let later = ClosureHTTPHandler { _ in throw ProblemDetails(status: .notFound) }
        let handler = isAtHand ? logged(FailingHandler(), .all) : logged(later, .all)
        await #expect(throws: ProblemDetails.self) { try await handler.response(to: HTTPRequest(target: "/x")) }
        #expect(log.metadata(of: "info: request").map { $0["status"] } == ["404"])
    }

    @Test func `a line has the request, the response, the duration and the id`() async throws {
        let request = HTTPRequest(
            target: "/products/a%20b?q=x&limit=1",
            headers: [
                ("X-Request-Id", "id-1"),
                ("traceparent", "00-\(String(repeating: "a", count: 32))-00000000000000b1-01"),
            ],
            peer: "192.0.2.7")
        let lines = try await logged(request) { _ in HTTPResponse(status: .ok, body: HTTPBody(text: "12345")) }
        var line = try #require(lines.first)
        let duration = try #require(line.removeValue(forKey: "duration_ms").flatMap { Double($0) })
        #expect(duration >= 0 && duration < 60_000)
        #expect(
            line == [
                "method": "GET", "path": "/products/a%20b", "query": "q=x&limit=1", "status": "200", "size": "5",
                "remote": "192.0.2.7", "request_id": "id-1", "trace_id": String(repeating: "a", count: 32),
            ])
    }

    @Test func `a missing id is made, and absent members are left out`() async throws {
        let line = try #require(try await logged(HTTPRequest(target: "/products")).first)
        #expect(line["request_id"]?.count == 32)
        #expect(line["query"] == nil)
        #expect(line["trace_id"] == nil)
    }

    @Test(arguments: [(.get, 200, "5"), (.head, 200, "0"), (.get, 304, "0")] as [(HTTPMethod, Int, String)])
    func `the size is that of the body sent`(method: HTTPMethod, status: Int, size: String) async throws {
        let lines = try await logged(HTTPRequest(method: method, target: "/products")) { _ in
            HTTPResponse(status: HTTPStatus(code: status, reason: "Test"), body: HTTPBody(text: "12345"))
        }
        #expect(lines.first?["size"] == size)
    }

    @Test func `long text of a client is cut between two characters`() async throws {
        let long = String(repeating: "é", count: 2000)
        let line = try #require(try await logged(HTTPRequest(target: "/\(long)?\(long)")).first)
        #expect(line["path"] == "/" + String(repeating: "é", count: 511) + "…")
        #expect(line["query"] == String(repeating: "é", count: 512) + "…")
    }
}

struct AtHandHandler: HTTPHandler {
    let response: HTTPResponse

    func respond(to request: HTTPRequest) -> EventualResponse { .ready(response) }
}

private struct FailingHandler: HTTPHandler {
    func respond(to request: HTTPRequest) throws -> EventualResponse { throw ProblemDetails(status: .notFound) }
}
