@testable import Serving
import Concurrency
import JSON
import Configuration
import HTTPServer
import Networking
import ServingTestSupport
import TestSupport
import Testing

/// Conditions, `Cache-Status`, and the answers that the service keeps in memory.
@Suite(.timeLimit(.minutes(1)))
struct CachingRoutesTests {
    private let service: InMemoryService

    init() throws { service = try InMemoryService() }

    /// The catalogue comes when the clock shows 08:00:00.
    private static let before = "Fri, 15 Jan 2027 07:59:59 GMT"
    private static let then = "Fri, 15 Jan 2027 08:00:00 GMT"

    @Test(arguments: ["/products", "/products/p-7"])
    func `a known tag gets a 304 with the fields of the 200, and beside it no date counts`(
        target: String
    ) async throws {
        _ = try await service.warm()
        let first = try await service.get(target)
        let tag = try #require(first.headers["ETag"])
        for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let again = try await service.get(target, ["If-None-Match": known, "If-Modified-Since": Self.before])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            for name in ["ETag", "Cache-Control", "Cache-Status", "Last-Modified"] {
                #expect(again.headers[name] == first.headers[name])
            }
        }
        let other = try await service.get(target, ["If-None-Match": "\"other\"", "If-Modified-Since": Self.then])
        #expect(other.status == 200)
        #expect(other.body == first.body)
    }

    private func cacheStatus(_ service: InMemoryService) async throws -> String? {
        try await service.get("/products").headers.cacheStatus
    }

    @Test func `Cache-Status says how the answer came about, in good times and bad`() async throws {
        #expect(try await cacheStatus(service) == "larder; fwd=uri-miss; stored")
        service.clock.advance(by: .seconds(4))
        #expect(try await cacheStatus(service) == "larder; hit; ttl=6")
        service.clock.advance(by: .seconds(40))
        #expect(try await cacheStatus(service) == "larder; fwd=stale; stored")
        service.shop.fail()
        service.clock.advance(by: .seconds(40))
        #expect(try await cacheStatus(service) == "larder; fwd=stale; fwd-status=503; detail=stale-if-error")
        #expect(try await cacheStatus(service) == "larder; hit; ttl=-30; detail=offline")
        let uncached = try InMemoryService("top: rest")
        #expect(try await cacheStatus(uncached) == "larder; fwd=bypass")
    }

    @Test func `a clock set back makes nothing fresher, even with the upstream gone`() async throws {
        _ = try await service.warm()
        service.clock.advance(by: .seconds(4))
        for _ in 0..<2 {
            service.clock.advance(by: .seconds(-3600))
            let headers = try await service.get("/products").headers
            #expect(headers.cacheStatus == "larder; hit; ttl=6" && headers.catalogueAge == "4")
        }
        service.clock.advance(by: .seconds(36))
        service.shop.fail()
        _ = try await service.get("/products")
        service.clock.advance(by: .seconds(-3640))
        #expect(try await cacheStatus(service) == "larder; hit; ttl=-30; detail=offline")
        #expect(try await service.graph()["serving"]?.object?["fresh_for_seconds"]?.number?.double == -30)
    }

    /// The answer once it comes without a task; requests before that are waited for.
    private func immediate(_ request: HTTPRequest, _ handler: any HTTPHandler) async throws -> HTTPResponse? {
        for _ in 0..<100 {
            switch try handler.respond(to: request) {
            case .ready(let response): return response
            case .pending(let rest): _ = try await rest()
            }
        }
        return nil
    }

    @Test(
        arguments: [
            "/products", "/products/p-7", "/products/p-7?fields=name,price", "/products?limit=5",
            "/products?view=display", "/products?q=mug&sort=-price", "/products/p-7?view=display",
        ], ["identity", "gzip"])
    func `a repeated request is answered without a task, like the first`(target: String, coding: String) async throws {
        _ = try await service.warm()
        let request = HTTPRequest(target: target, headers: [("Accept-Encoding", coding)])
        let first = try await service.handler.response(to: request)
        let second = try #require(try await immediate(request, service.handler))
        #expect(first.status == .ok)
        #expect(second.status == .ok)
        #expect(second.headers == first.headers)
        #expect(second.body.bytes == first.body.bytes)
        let tag = try #require(first.headers.first("ETag"))
        let known = HTTPRequest(target: target, headers: [("Accept-Encoding", coding), ("If-None-Match", tag)])
        #expect(try await immediate(known, service.handler)?.status == .notModified)
    }

    @Test(arguments: [("/products?limit=x", 400), ("/nowhere", 404)])
    func `a client's mistake is answered without a task`(target: String, status: Int) throws {
        let handler = try InMemoryService().handler
        switch Result(catching: { try handler.respond(to: HTTPRequest(target: target)) }) {
        case .success(.ready(let response)): #expect(response.status.code == status)
        case .success(.pending): Issue.record("it is waited for")
        case .failure(let error): #expect(HTTPResponse(for: error).status.code == status)
        }
    }

    @Test func `a new query is answered by a task`() async throws {
        _ = try await service.warm()
        let request = HTTPRequest(target: "/products?limit=3")
        guard case .pending = try service.handler.respond(to: request) else {
            Issue.record("answered before anybody asked")
            return
        }
        #expect(try await service.handler.response(to: request).status == .ok)
    }

    @Test func `new queries are refused while clients hold all response memory, known ones are answered`() async throws
    {
        func target(_ number: Int) -> String { "/products?sort=-id&limit=\(200 + number)" }
        let listings = ListingCache(
            capacity: 1, isVaried: false, memory: ResponseMemory(allowance: 0),
            modifications: ModificationTimes(wallClock: .system))
        let service = try InMemoryService(listings: listings)
        var held: [HTTPBody] = []
        while held.count < 500 {
            let answer = try await service.handler.response(to: HTTPRequest(target: target(held.count)))
            guard answer.status == .ok else { break }
            held.append(answer.body)
        }
        #expect((1..<500).contains(held.count))
        let refused = try await service.get(target(600))
        #expect(refused.isProblem(503))
        #expect(refused.headers["Retry-After"] == "1")
        for target in ["/products", "/products/p-7", target(held.count - 1)] {
            #expect(try await service.get(target).status == 200)
        }
        held = []
        #expect(try await service.get(target(600)).status == 200)
    }
}
