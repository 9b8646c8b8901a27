internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

struct CachingProductsProviderDecoratorTests {
    private let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
    private let store = ScriptedProvider()

    private var provider: CachingProductsProviderDecorator {
        CachingProductsProviderDecorator(upstream: upstream, saver: store)
    }

    @Test func `every success is saved, and the store is not read`() async throws {
        let provider = provider
        #expect(try await provider.ask().steps == ["caching: saving"])
        upstream.gives(makeSnapshot("Cup"))
        _ = try await provider.ask()
        #expect(store.saved.map(\.revision) == [makeCatalogue().revision, makeCatalogue("Cup").revision])
        #expect(store.calls == 0)
    }

    @Test func `a failure of the upstream passes through and saves nothing`() async throws {
        upstream.fails(.refused(.empty(count: 0, minimum: 1)))
        #expect(try await provider.failure() == .refused(.empty(count: 0, minimum: 1)))
        #expect(store.saved.isEmpty)
    }

    @Test func `a failing save does not fail the answer`() async throws {
        let provider = CachingProductsProviderDecorator(upstream: upstream, saver: FullDisk())
        #expect(try await provider.ask().snapshot.revision == makeCatalogue().revision)
    }

    @Test(
        arguments: [
            (.failed(.timedOut(after: nil)), "below: timeout"), (.unchecked, "below: unchecked"),
            (.pinned, "below: pinned"),
        ] as [(TrailOutcome, String)])
    func
        `only a confirmed catalogue is saved: no substitute for a failure, none that was not compared, none that is pinned`(
            outcome: TrailOutcome, step: String
        ) async throws
    {
        upstream.does {
            ProductsAnswer(snapshot: makeSnapshot(), trail: [TrailStep(node: "below", outcome: outcome)])
        }
        #expect(try await provider.ask().steps == [step, "caching: skipped"])
        #expect(store.saved.isEmpty)
    }
}

private struct FullDisk: ProductsSaver {
    func save(_ snapshot: ProductsSnapshot) async throws {
        throw ProductsFailure.storeFailed(detail: "no space left on device")
    }
}
