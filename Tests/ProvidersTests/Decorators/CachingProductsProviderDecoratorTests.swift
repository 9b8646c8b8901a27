internal import TestSupport
internal import Products
internal import Testing

@testable internal import Providers

struct CachingProductsProviderDecoratorTests {
    private let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
    private let store = ScriptedProvider()

    private var provider: CachingProductsProviderDecorator {
        CachingProductsProviderDecorator(upstream: upstream, saver: store)
    }

    @Test("every success is saved, and the store is not read")
    func saves() async throws {
        let provider = provider
        #expect(try await provider.ask().steps == ["caching: saving"])
        upstream.gives(makeSnapshot("Cup"))
        _ = try await provider.ask()
        #expect(store.saved.map(\.revision) == [makeCatalogue().revision, makeCatalogue("Cup").revision])
        #expect(store.calls == 0)
    }

    @Test("a failure of the upstream passes through and saves nothing")
    func upstreamFails() async throws {
        upstream.fails(.refused(.empty(count: 0, minimum: 1)))
        #expect(try await provider.failure() == .refused(.empty(count: 0, minimum: 1)))
        #expect(store.saved.isEmpty)
    }

    @Test("a failing save does not fail the answer")
    func saverFails() async throws {
        let provider = CachingProductsProviderDecorator(upstream: upstream, saver: FullDisk())
        #expect(try await provider.ask().snapshot.revision == makeCatalogue().revision)
    }

    @Test(
        "a substitute for a failure does not replace what is stored, nor does a catalogue that nothing was compared with",
        arguments: [
            (.failed(.timedOut(after: nil)), "below: timeout"), (.unchecked, "below: unchecked"),
        ] as [(TrailOutcome, String)])
    func notSaved(outcome: TrailOutcome, step: String) async throws {
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
