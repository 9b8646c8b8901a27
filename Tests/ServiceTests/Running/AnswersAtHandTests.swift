import HTTPServer
import TestSupport
import Testing

@testable import Service

/// What was asked for before costs no task: the handlers have it at hand.
@Suite("Answers at hand", .timeLimit(.minutes(1)))
struct AnswersAtHandTests {
    /// The answer as soon as it is at hand: the first requests are followed on their way, and waited for.
    private func atHand(_ request: HTTPRequest, _ handler: any HTTPHandler) async throws -> HTTPResponse? {
        for _ in 0..<100 {
            switch try handler.answer(to: request) {
            case .ready(let response): return response
            case .pending(let rest): _ = try await rest()
            }
        }
        return nil
    }

    @Test(
        "What was asked for before is at hand, the same as when it was waited for",
        arguments: [
            "/products", "/products/p-7", "/products/p-7?fields=name,price", "/products?limit=5",
            "/products?view=display", "/products?q=mug&sort=-price", "/products/p-7?view=display",
        ], ["identity", "gzip"])
    func again(target: String, coding: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let handler = try stand.subjects.current.edition.publicHandler
            let request = HTTPRequest(target: target, headers: [("Accept-Encoding", coding)])
            let first = try await handler.respond(to: request)
            let second = try #require(try await atHand(request, handler))
            #expect(first.status == .ok)
            #expect(second.status == .ok)
            #expect(second.headers == first.headers)
            #expect(second.body.bytes == first.body.bytes)
            let tag = try #require(first.headers.first("ETag"))
            let known = HTTPRequest(target: target, headers: [("Accept-Encoding", coding), ("If-None-Match", tag)])
            #expect(try await atHand(known, handler)?.status == .notModified)
        }
    }

    @Test("What a client did wrong is said at once", arguments: [("/products?limit=x", 400), ("/nowhere", 404)])
    func problems(target: String, status: Int) async throws {
        try await Stand.with { stand in
            let handler = try stand.subjects.current.edition.publicHandler
            let request = HTTPRequest(target: target)
            switch Result(catching: { try handler.answer(to: request) }) {
            case .success(.ready(let response)): #expect(response.status.code == status)
            case .success(.pending): Issue.record("it is waited for")
            case .failure(let error): #expect(HTTPResponse(for: error).status.code == status)
            }
        }
    }

    @Test("A question that is new is waited for")
    func new() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let handler = try stand.subjects.current.edition.publicHandler
            let request = HTTPRequest(target: "/products?limit=3")
            guard case .pending = try handler.answer(to: request) else {
                Issue.record("at hand before anybody asked")
                return
            }
            #expect(try await handler.respond(to: request).status == .ok)
        }
    }
}
