internal import Configuration
internal import JSON
internal import Logging
internal import Networking
internal import Products
internal import Providers
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Tracing

@testable internal import Upstreams

@Suite(.timeLimit(.minutes(1)))
struct HTTPTracingTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = "00-\(trace)-b7ad6b7169203331-01"

    /// What requests for one thing and another tell an upstream, by lower-case field names.
    private func told(_ causes: [RequestIdentity?]) async throws -> [[String: String]] {
        let upstream = ScriptedUpstream(answering { $0.respond(body: makeBody()) })
        defer { upstream.stop() }
        try await withClient { client in
            let provider = makeHTTPProvider(client, url: upstream.url)
            for cause in causes {
                _ = try await provider.ask(cause: cause)
            }
        }
        return upstream.requestHeads.map(Self.correlation)
    }

    private static func correlation(in head: String) -> [String: String] {
        let fields = head.split(separator: "\r\n").dropFirst().map { $0.split(separator: ": ", maxSplits: 1) }
        let known = ["x-request-id", "traceparent", "tracestate"]
        return Dictionary(
            uniqueKeysWithValues: fields.filter { known.contains($0[0].lowercased()) }.map {
                ($0[0].lowercased(), String($0[1]))
            })
    }

    @Test
    func `an upstream is told what the request behind is called, and of its trace as a new span of it`() async throws {
        let cause = RequestIdentity(
            givenID: "mine", serial: (1, 2), trace: TraceContext(parent: Self.parent, state: "a=1,b=2"))
        let told = try await told([cause, cause])
        let parents = told.compactMap { $0["traceparent"] }
        #expect(told.map { $0["x-request-id"] } == ["mine", "mine"])
        #expect(told.map { $0["tracestate"] } == ["a=1,b=2", "a=1,b=2"])
        for parent in parents {
            #expect(parent.hasPrefix("00-\(Self.trace)-") && parent.hasSuffix("-01"))
            #expect(TraceContext(parent: parent) != nil)
        }
        #expect(Set(parents + [Self.parent]).count == 3)
    }

    @Test func `without a trace there is none, and what the service asks of its own accord is nobody's`() async throws {
        let told = try await told([RequestIdentity(serial: (1, 2)), nil])
        #expect(told == [["x-request-id": RequestIdentity(serial: (1, 2)).id], [:]])
    }

    @Test
    func `a request that revalidates forbids caches before the upstream to answer it, any other does not`() async throws
    {
        let upstream = ScriptedUpstream(answering { $0.respond(body: makeBody()) })
        defer { upstream.stop() }
        try await withClient { client in
            let provider = makeHTTPProvider(client, url: upstream.url)
            for revalidates in [false, true, false] {
                _ = try await provider.products(for: ProductsRequest(revalidates: revalidates))
            }
        }
        let controls = upstream.requestHeads.map { $0.lowercased().contains("\r\ncache-control: no-cache\r\n") }
        #expect(controls == [false, true, false])
    }

    @Test func `every page is asked for in the name of the same request`() async throws {
        let shop = PagedShop()
        try await withClient(against: shop.script) { client, upstream in
            let resources = makeResources(client: client)
            let yaml = "{ type: http, request: { base_url: \"\(upstream.url)\" }, \(PagedShop.pagination) }"
            let provider = try makeProvider(yaml, resources: resources).provider
            let cause = RequestIdentity(givenID: "mine", serial: (1, 2), trace: TraceContext(parent: Self.parent))
            _ = try await provider.ask(cause: cause)
            let told = upstream.requestHeads.map(Self.correlation)
            #expect(told.count == 3)
            #expect(Set(told).count == 1)
            #expect(told.first?["x-request-id"] == "mine")
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct HTTPFailureSourceTests {
    private struct Template: RequestTemplate {
        let baseURL: String
        var method: RequestMethod? { nil }
        var path: String? { "/books" }
        var parameters: [QueryParameter]? { [QueryParameter("sig", "hunter2")] }
        var headers: [HTTPHeader]? { nil }
        var redirectOrigins: [String]? { nil }
        var body: JSONObject? { nil }
    }

    private func provider(_ client: HTTPClient, _ url: String) -> HTTPProductsProvider {
        HTTPProductsProvider(source: makeSource(client, Template(baseURL: url)), label: "remote.upstream")
    }

    @Test(arguments: [
        ("401 Unauthorized", "", "401 from URL (provider \"remote.upstream\")"),
        ("200 OK", "<html>", "not a catalogue: HTML instead of JSON at URL (provider \"remote.upstream\")"),
        (
            "200 OK", #"[{"type":"physical","id":"sku-1"}]"#,
            "not a catalogue: [0].name: missing, from URL (provider \"remote.upstream\", item \"sku-1\")"
        ),
    ])
    func `failures name the URL without its query, and the node`(status: String, body: String, message: String)
        async throws
    {
        try await withClient(against: answering { $0.respond(status: status, body: body) }) {
            client, upstream async throws in
            let failure = try #require(try await provider(client, upstream.url).failure())
            #expect("\(failure)" == message.replacing("URL", with: "\(upstream.url)books"))
        }
    }

    @Test(arguments: MergeFailurePolicy.allCases)
    func `in a merge the part is named, whether the others are answered or not`(onFailure: MergeFailurePolicy)
        async throws
    {
        let script = answering { $0.respond(status: "401 Unauthorized") }
        try await withClient(against: script) { client, upstream async throws in
            let good = ScriptedProvider()
            good.gives(makeSnapshot())
            let merge = MergeProductsProviderStrategy(
                parts: [
                    .init(name: "toys", provider: good), .init(name: "books", provider: provider(client, upstream.url)),
                ],
                onFailure: onFailure)
            let failure = try await onFailure == .fail ? merge.failure() : merge.ask().failure
            let message = try #require(failure.map { "\($0)" })
            #expect(message == "401 from \(upstream.url)books (provider \"remote.upstream\", part \"books\")")
        }
    }
}
