import HTTPServer
import TestSupport
import Testing
import Tracing

struct TracingHandlerTests {
    private struct RefusingHandler: HTTPHandler {
        func respond(to request: HTTPRequest) throws -> EventualResponse { throw ProblemDetails(status: .notFound) }
    }

    private struct ReadyHandler: HTTPHandler {
        func respond(to request: HTTPRequest) throws -> EventualResponse {
            Span.current?.child("work").end([])
            return .ready(HTTPResponse(status: .ok))
        }
    }

    private struct Ended: SpanSink {
        let spans = Shared<[FinishedSpan]>([])

        func record(_ span: FinishedSpan) { spans.withLock { $0.append(span) } }

        func drop(_ count: Int) {}
    }

    private static let trace = String(repeating: "a", count: 32)
    private let ended = Ended()

    /// The spans of a request, answered at once and then after a wait.
    private func spans(
        _ request: HTTPRequest, _ share: Double = 0, _ parent: TraceRules.Parent = .honour, failures: Bool = false,
        status: Int = 200
    ) async throws -> [FinishedSpan] {
        let response = HTTPResponse(status: HTTPStatus(code: status, reason: "Test"))
        let handlers: [any HTTPHandler] = [AtHandHandler(response: response), ClosureHTTPHandler { _ in response }]
        for handler in handlers { _ = try await traced(handler, share, failures, parent).response(to: request) }
        return ended.spans.withLock { $0 }
    }

    private func traced(
        _ handler: any HTTPHandler, _ share: Double, _ failures: Bool, _ parent: TraceRules.Parent = .honour
    ) -> any HTTPPortHandler {
        BarePort(handler).within([
            TracingHandler.middleware(
                TraceRules(TraceSampling(share), parent: parent, recordsFailures: failures), by: Tracer(to: ended),
                routes: ["/products", "/products/{id}"], isEncrypted: false)
        ])
    }

    private func called(_ flag: String) -> HTTPRequest {
        HTTPRequest(target: "/products", headers: [("traceparent", "00-\(Self.trace)-00000000000000b1-\(flag)")])
    }

    @Test func `a span has the request by the semantic conventions`() async throws {
        let request = HTTPRequest(
            target: "/products/a%20b?q=x", headers: [("Host", "shop.example:8080"), ("User-Agent", "till/1")])
        let spans = try await spans(request, 1)
        #expect(spans.count == 2)
        for span in spans {
            #expect(span.name == "GET /products/{id}" && span.kind == .server && span.failure == nil)
            #expect(span.parent == 0 && span.trace.traceID == request.cause.id)
            let attributes = span.attributes
            for expected in [
                SpanAttribute("http.request.method", "GET"), SpanAttribute("http.response.status_code", 200),
                SpanAttribute("url.path", "/products/a%20b"), SpanAttribute("url.query", "q=x"),
                SpanAttribute("url.scheme", "http"), SpanAttribute("http.route", "/products/{id}"),
                SpanAttribute("server.address", "shop.example"), SpanAttribute("server.port", 8080),
                SpanAttribute("user_agent.original", "till/1"), SpanAttribute("client.address", "127.0.0.1"),
            ] { #expect(attributes.contains(expected), "\(expected)") }
        }
    }

    @Test func `a caller's decision counts in place of the share`() async throws {
        #expect(try await spans(called("00"), 1).isEmpty)
        let spans = try await spans(called("01"), 0)
        #expect(spans.count == 2)
        #expect(spans.allSatisfy { $0.parent == 0xb1 && $0.trace.traceID == Self.trace })
    }

    @Test(arguments: [TraceRules.Parent.trusted, .ignore])
    func `the decision of another caller does not count, and is not passed on`(parent: TraceRules.Parent) async throws {
        let request = called("01")
        #expect(try await spans(request, 0, parent).isEmpty)
        #expect(request.cause.trace?.traceID == Self.trace && request.cause.trace?.isSampled == false)
        let chosen = called("00")
        let spans = try await spans(chosen, 1, parent)
        #expect(spans.count == 2)
        #expect(spans.allSatisfy { $0.parent == 0xb1 && $0.trace.traceID == Self.trace && $0.trace.isSampled })
        #expect(chosen.cause.trace?.isSampled == true)
    }

    @Test func `work that answers at once is within the span of a request that is recorded`() async throws {
        let handler = BarePort(ReadyHandler())
        let port = handler.within([
            TracingHandler.middleware(
                TraceRules(TraceSampling(1), parent: .trusted, recordsFailures: false), by: Tracer(to: ended),
                routes: [],
                isEncrypted: false)
        ])
        _ = try await port.response(to: HTTPRequest(target: "/products"))
        #expect(ended.spans.withLock { $0.map(\.name) } == ["work", "GET"])
    }

    @Test(arguments: [(500, true), (503, true), (404, false), (200, false)])
    func `failures are recorded whatever the share`(status: Int, isRecorded: Bool) async throws {
        #expect(try await spans(called("00"), 0, failures: true, status: status).count == (isRecorded ? 2 : 0))
        #expect(try await spans(HTTPRequest(target: "/"), 0, status: status).count == (isRecorded ? 2 : 0))
        if isRecorded { #expect(ended.spans.withLock { $0[0].failure } == SpanFailure("\(status)")) }
    }

    @Test func `a thrown error is a failure`() async throws {
        let late = ClosureHTTPHandler { _ in throw ProblemDetails(status: .serviceUnavailable) }
        for handler in [traced(late, 0, true), traced(RefusingHandler(), 1, false)] {
            await #expect(throws: (any Error).self) { try await handler.response(to: HTTPRequest(target: "/x")) }
        }
        #expect(ended.spans.withLock { $0.map(\.failure?.type) }.first == "503")
        #expect(ended.spans.withLock { $0.count } == 2)
    }

    @Test func `probes are not recorded, and work for the response is within the span`() async throws {
        #expect(try await spans(HTTPRequest(target: "/readyz"), 1, failures: true, status: 503).isEmpty)
        let handler = ClosureHTTPHandler { _ in
            Span.current?.child("work").end([])
            return HTTPResponse(status: .ok)
        }
        _ = try await traced(handler, 1, false).response(to: HTTPRequest(target: "/products"))
        let spans = ended.spans.withLock { $0 }
        #expect(spans.map(\.name) == ["work", "GET /products"])
        #expect(spans[0].parent == spans[1].id)
    }

    @Test func `no handler is added without rules`() {
        let port = BarePort(RefusingHandler()).within([
            TracingHandler.middleware(nil, by: Tracer(to: ended), routes: [], isEncrypted: false)
        ])
        #expect(port is BarePort)
    }
}
