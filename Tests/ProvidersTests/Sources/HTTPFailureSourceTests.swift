internal import Networking
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct HTTPFailureSourceTests {
    private struct Template: RequestTemplate {
        let baseURL: String
        var method: RequestMethod? { nil }
        var path: String? { "/books" }
        var parameters: [QueryParameter]? { [QueryParameter("sig", "hunter2")] }
        var headers: [HTTPHeader]? { nil }
        var redirectOrigins: [String]? { nil }
    }

    private func provider(_ client: HTTPClient, _ url: String) -> HTTPProductsProvider {
        HTTPProductsProvider(
            name: "http", client: client, template: ResolvedRequestTemplate(Template(baseURL: url)), limits: wide,
            label: "remote.upstream")
    }

    @Test(
        "failures name the URL without its query, and the node",
        arguments: [
            ("401 Unauthorized", "", "401 from URL (provider \"remote.upstream\")"),
            ("200 OK", "<html>", "not a catalogue: HTML instead of JSON at URL (provider \"remote.upstream\")"),
            (
                "200 OK", #"[{"type":"physical","id":"sku-1"}]"#,
                "not a catalogue: [0].name: missing, from URL (provider \"remote.upstream\", item \"sku-1\")"
            ),
        ])
    func named(status: String, body: String, message: String) async throws {
        try await withClient(against: answering { $0.respond(status: status, body: body) }) {
            client, upstream async throws in
            let failure = try #require(try await provider(client, upstream.url).failure())
            #expect("\(failure)" == message.replacing("URL", with: "\(upstream.url)books"))
        }
    }

    @Test(
        "in a merge the part is named, whether the others are answered or not", arguments: MergeFailurePolicy.allCases)
    func part(onFailure: MergeFailurePolicy) async throws {
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
