internal import Analytics
internal import FoundationEssentials
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

struct AnalyticsProductsProviderDecoratorTests {
    private let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
    private let sink = RecordingSink()
    private let wall = ManualWallClock()

    private var provider: AnalyticsProductsProviderDecorator {
        AnalyticsProductsProviderDecorator(
            upstream: upstream, sink: sink, event: "products_network_hit", parameters: ["shop": "main"],
            wallClock: wall.wallClock)
    }

    @Test func `one event for each success, with its time and parameters`() async throws {
        let start = wall.now
        for _ in 0..<3 {
            _ = try await provider.ask()
            wall.advance(by: .seconds(1))
        }
        #expect(sink.events.map(\.name) == Array(repeating: "products_network_hit", count: 3))
        #expect(sink.events.map { $0.timestamp.timeIntervalSince(start) } == [0, 1, 2])
        #expect(sink.events.map(\.parameters) == Array(repeating: ["shop": "main"], count: 3))
    }

    @Test func `no event for a failure`() async throws {
        upstream.fails(.timedOut(after: nil))
        #expect(try await provider.failure() == .timedOut(after: nil))
        #expect(sink.events.isEmpty)
    }

    @Test func `no event for a caller who opted out, who gets the same answer`() async throws {
        let answer = try await provider.products(for: ProductsRequest(analyticsOptOut: true))
        #expect(answer.snapshot.revision == makeCatalogue().revision)
        #expect(sink.events.isEmpty)
        #expect(upstream.requests.map(\.analyticsOptOut) == [true])
    }
}
