import HTTPServer
import JSON
import Networking
import Products
import ServingTestSupport
import TestSupport
import Testing

/// Answers from leases are ready at once, so that they take the server's fast path.
///
/// Each thread has leases of its own, so a test asks and looks without a suspension between.
@Suite(.timeLimit(.minutes(1)))
struct LeasedAnswersTests {
    private static let kept = "kept: { type: memory, ttl: 10s, stale_if_error: 1h, hold_off: 30s, upstream: shop }"
    private static let shown = "{ type: analytics, sink: events, event: shown, upstream: kept }"
    private static let sections = "analytics: { events: { type: log } }"

    private func makeService(_ top: String = shown) throws -> InMemoryService {
        try InMemoryService("\(Self.kept)\ntop: \(top)", sections: Self.sections)
    }

    /// The `Cache-Status` of an answer that is ready at once; nil for another one.
    private func ask(_ service: InMemoryService, _ target: String = "/products") throws -> String? {
        let answer = try service.handler.respond(to: HTTPRequest(target: target))
        guard case .ready(let response) = answer else { return nil }
        return HTTPHeaders(response.headers.fields.map { HTTPHeader($0.name, $0.value) }).cacheStatus
    }

    /// Returns when a hundred answers in a row are ready at once, and like this.
    private func answers(of service: InMemoryService, are status: String, _ target: String = "/products") async throws {
        try await eventually {
            _ = try await service.get("/products")
            return try (0..<100).allSatisfy { _ in try ask(service, target) == status }
        }
    }

    @Test(arguments: [
        shown,
        "{ type: retry, upstream: { type: timeout, after: 1s, upstream: { type: validated, upstream: kept } } }",
        "{ type: fallback, primary: kept, secondary: gold }",
        "{ type: audience, header: X-Tier, cases: { gold: gold }, otherwise: kept }",
        "{ type: ab_test, experiment: banner, subject: X-User, sink: events, a: kept, b: gold }",
    ])
    func `every answer is ready at once, whatever passes leases on above memory`(top: String) async throws {
        let service = try makeService(top)
        try await answers(of: service, are: "larder; hit; ttl=10")
        try await answers(of: service, are: "larder; hit; ttl=10", "/products/p-1")
    }

    @Test func `a provider that drops leases has the graph asked, with the same answer`() async throws {
        let service = try makeService("{ type: concurrency_limit, max: 10, upstream: kept }")
        _ = try await service.warm()
        for _ in 0..<20 {
            #expect(try await service.get("/products").headers.cacheStatus == "larder; hit; ttl=10")
            #expect(try ask(service) == nil)
        }
    }

    @Test func `an answer is ready at once while it is stale, and while the upstream is dead`() async throws {
        let service = try makeService()
        try await eventually {
            _ = try await service.get("/products")
            guard try ask(service) == "larder; hit; ttl=10" else { return false }
            service.shop.fail()
            service.clock.advance(by: .seconds(15))
            #expect(try ask(service) == "larder; hit; ttl=-5")
            return true
        }
        // The failed refresh withdraws the catalogue, and the next answer leaves another lease.
        try await answers(of: service, are: "larder; hit; ttl=-5; detail=offline")
        #expect(service.shop.asked == 2)
    }

    @Test func `a clock set back within a second makes no kept answer fresher`() async throws {
        let service = try makeService()
        try await answers(of: service, are: "larder; hit; ttl=10")
        service.shop.fail()
        service.clock.advance(by: .milliseconds(10_500))
        let stale = "larder; hit; ttl=-1; detail=offline"
        try await answers(of: service, are: stale)
        for step in [-400, 300] {
            service.clock.advance(by: .milliseconds(step))
            let found = try await service.get("/products").headers.cacheStatus
            #expect(found == stale, "\(step)")
            try await answers(of: service, are: stale)
        }
    }

    @Test func `after a refresh the next answers have the new catalogue`() async throws {
        let service = try makeService()
        try await answers(of: service, are: "larder; hit; ttl=10")
        try service.shop.serve(["Mug"])
        service.clock.advance(by: .seconds(11))
        try await eventually { try await service.get("/products").json?["total"]?.number?.integer == 1 }
        try await answers(of: service, are: "larder; hit; ttl=10", "/products/1")
    }
}
