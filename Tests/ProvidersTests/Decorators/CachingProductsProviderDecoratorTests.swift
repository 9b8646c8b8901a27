internal import TestSupport
internal import Products
internal import Testing

@testable internal import Providers

struct CachingProductsProviderDecoratorTests {
    private let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
    private let store = ScriptedProvider()
    private let log = LogRecorder()

    private var provider: CachingProductsProviderDecorator {
        CachingProductsProviderDecorator(upstream: upstream, store: store, logger: log.logger)
    }

    @Test("every success is saved")
    func saves() async throws {
        let provider = provider
        #expect(try await provider.ask().steps == ["caching: saved"])
        upstream.gives(makeSnapshot("Cup"))
        _ = try await provider.ask()
        #expect(store.saved.map(\.revision) == [makeCatalogue().revision, makeCatalogue("Cup").revision])
        #expect(log.seen == [])
    }

    @Test("a failure of the upstream passes through and saves nothing")
    func upstreamFails() async throws {
        upstream.fails(.refused(.empty(count: 0, minimum: 1)))
        #expect(try await provider.failure() == .refused(.empty(count: 0, minimum: 1)))
        #expect(store.saved.isEmpty)
    }

    @Test("a failing save never fails the answer; a row of them is one line, and its end another")
    func saveFails() async throws {
        let provider = provider
        store.failsToSave(.storeFailed(detail: "disk full"))
        for _ in 0..<5 {
            let answer = try await provider.ask()
            #expect(answer.snapshot.revision == makeCatalogue().revision)
            #expect(answer.steps == ["caching: save-failed"])
            #expect(answer.failure == nil)
        }
        store.failsToSave(nil)
        for _ in 0..<2 { #expect(try await provider.ask().steps == ["caching: saved"]) }
        #expect(log.seen == ["warning: products are served but cannot be saved", "notice: store recovered"])
        #expect(log.seenLines.first?.metadata["error"] == "store failed: disk full")
    }

    @Test("what the store holds goes down as the last good snapshot, unless somebody above has one")
    func lastGood() async throws {
        store.gives(makeSnapshot("Stored"))
        let provider = provider
        _ = try await provider.ask()
        _ = try await provider.products(for: ProductsRequest(lastGood: makeSnapshot("Above")))
        let passed = upstream.requests.map(\.lastGood?.revision)
        #expect(passed == [makeCatalogue("Stored").revision, makeCatalogue("Above").revision])
        #expect(store.calls == 1)
    }

    @Test(
        "an empty or broken store is no reason not to ask",
        arguments: [.notStored, .storeFailed(detail: "x")] as [ProductsFailure])
    func emptyStore(failure: ProductsFailure) async throws {
        store.fails(failure)
        #expect(try await provider.ask().snapshot.revision == makeCatalogue().revision)
        #expect(upstream.requests.map(\.lastGood?.revision) == [nil])
    }

    @Test("a substitute for a failure does not replace what is stored")
    func substitute() async throws {
        upstream.does {
            let failed = TrailStep(node: "fallback", outcome: .failed(.timedOut(after: nil)))
            return ProductsAnswer(snapshot: makeSnapshot("Bundle", origin: .bundled), trail: [failed])
        }
        #expect(try await provider.ask().steps == ["fallback: timeout", "caching: skipped"])
        #expect(store.saved.isEmpty)
    }
}
