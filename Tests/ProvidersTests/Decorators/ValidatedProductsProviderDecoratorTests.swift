internal import Products
internal import Testing

@testable internal import Providers

struct ValidatedProductsProviderDecoratorTests {
    @Test("a good catalogue passes unchanged, trail and all")
    func good() async throws {
        let upstream = ScriptedProvider {
            ProductsAnswer(snapshot: makeSnapshot(), trail: [TrailStep(node: "http", outcome: .fetched)])
        }
        let answer = try await ValidatedProductsProviderDecorator(upstream: upstream).ask()
        #expect(answer.snapshot.revision == makeCatalogue().revision)
        #expect(answer.steps == ["http: fetched"])
    }

    @Test(
        "what shrank is measured by the request's last good snapshot",
        arguments: [(10, true), (5, false), (nil, false)])
    func lastGood(count: Int?, isRefused: Bool) async throws {
        let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot(count: 4)) }
        let provider = ValidatedProductsProviderDecorator(upstream: upstream)
        let request = ProductsRequest(lastGood: count.map { makeSnapshot("Old", count: $0) })
        if isRefused {
            await #expect(throws: ProductsFailure.refused(.shrunken(from: 10, to: 4))) {
                try await provider.products(for: request)
            }
        } else {
            #expect(try await provider.products(for: request).snapshot.products.count == 4)
        }
    }

    @Test("the request goes on to the upstream as it came")
    func request() async throws {
        let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
        let request = ProductsRequest(headers: ["x-user": "me"], analyticsOptOut: true, lastGood: makeSnapshot("Old"))
        _ = try await ValidatedProductsProviderDecorator(upstream: upstream).products(for: request)
        #expect(upstream.requests.map { $0.headers["x-user"] } == ["me"])
        #expect(upstream.requests.map(\.analyticsOptOut) == [true])
        #expect(upstream.requests.map(\.lastGood?.revision) == [makeCatalogue("Old").revision])
    }
}
