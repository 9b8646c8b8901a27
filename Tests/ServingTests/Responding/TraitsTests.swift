import Concurrency
import FoundationEssentials
import HTTPServer
import Products
import Prometheus
import Querying
import ServingTestSupport
import Testing
import TestSupport

@testable import Serving

extension ConditionalResponding where Self: Mock {
    /// Takes every condition as met.
    func form(
        of representation: Representation, lastModified: LastModified, for request: HTTPRequest,
        else refusal: @autoclosure () -> ProblemDetails
    ) throws(ProblemDetails) -> ResponseForm {
        .whole(representation.coding)
    }
}

struct ConditionalRespondingTests {
    private struct Responder: ConditionalResponding {
        let wallClock: WallClock

        init(_ seconds: Double = 1_800_000_000) {
            wallClock = WallClock { Date(timeIntervalSince1970: seconds) }
        }
    }

    private let representation = Representation(body: HTTPBody(text: "{}"), entityTag: "\"a\"")
    private let lastModified = LastModified(Date(timeIntervalSince1970: 1_800_000_000))

    private func form(
        _ name: String, _ value: String, by responder: Responder = Responder()
    ) throws -> ResponseForm {
        try responder.form(
            of: representation, lastModified: lastModified, for: HTTPRequest(target: "/", headers: [(name, value)]),
            else: ProblemDetails(status: .preconditionFailed, detail: "not this one"))
    }

    @Test func `a known tag is answered without the bytes`() throws {
        let form = try form("If-None-Match", "\"b\", \"a\"")
        let response = Responder().respond(with: representation, as: form, head: ["ETag": "\"a\""])
        #expect(form == .notModified)
        #expect(response.status == .notModified)
        #expect(response.body.count == 0)
        #expect(response.headers == ["ETag": "\"a\""])
        let whole = Responder().respond(
            with: representation, as: try self.form("If-None-Match", "\"b\""), head: HTTPHeaderBlock())
        #expect(whole.status == .ok)
        #expect(whole.body.text == "{}")
    }

    @Test func `a condition that does not hold is refused in the handler's words`() {
        let problem = #expect(throws: ProblemDetails.self) { try form("If-Match", "\"b\"") }
        #expect(problem == ProblemDetails(status: .preconditionFailed, detail: "not this one"))
    }

    @Test func `the clock decides about years of two digits`() throws {
        let date = "Friday, 15-Jan-77 08:00:00 GMT"
        #expect(try form("If-Modified-Since", date) == .notModified)
        #expect(try form("If-Modified-Since", date, by: Responder(1_768_000_000)) == .whole(.identity))
    }
}

struct ProductsResponderTests {
    /// Has its pages somewhere else.
    private struct Elsewhere: ProductsResponder {
        static let path = "/elsewhere"
        let wallClock = WallClock.system
        let variance = ResponseVariance([])
        let cacheControl = CacheControl(scope: .public, maxAge: .seconds(5))
        let surrogateKeys: SurrogateKeys? = nil
    }

    private func answer(by responder: some ProductsResponder, _ request: HTTPRequest) async throws -> HTTPResponse {
        let wallClock = WallClock.system
        let graph = #"serve: { type: http, request: { base_url: "http://shop.example" } }"#
        let cache = ResponseCache(
            useCase: ProductsUseCase(provider: ScriptedProvider(.success(makeAnswer(try makeCatalogue())))),
            consulted: ConsultedHeaders(try makeOutline(graph)),
            metrics: MetricsRegistry(known: []), wallClock: wallClock)
        let wanted = try ProductsLookup(request, taking: ProductsQueryParameters(), limits: PageLimits())
        return try await cache.response(to: wanted, by: responder).response
    }

    @Test func `a cursor that is outrun is refused with a link to the responder's own pages`() async throws {
        let cursor = PageCursor(skipping: 1, of: ProductsQuery(limit: 1), revision: "another").text
        let error = await #expect(throws: StaleCursor.self) {
            try await answer(by: Elsewhere(), HTTPRequest(target: "/products?limit=1&cursor=\(cursor)"))
        }
        #expect(error?.response.status.code == 410)
        #expect(error?.response.headers.first("Link") == "</elsewhere?limit=1>; rel=\"first\"")
    }
}
