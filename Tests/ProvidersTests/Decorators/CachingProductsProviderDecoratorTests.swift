internal import TestSupport
internal import Products
internal import Testing

@testable internal import Providers

struct CachingProductsProviderDecoratorTests {
    private let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
    private let store = ScriptedProvider()

    private var provider: CachingProductsProviderDecorator {
        CachingProductsProviderDecorator(upstream: upstream, store: store)
    }

    @Test("every success is saved")
    func saves() async throws {
        let provider = provider
        #expect(try await provider.ask().steps == ["caching: saving"])
        upstream.gives(makeSnapshot("Cup"))
        _ = try await provider.ask()
        #expect(store.saved.map(\.revision) == [makeCatalogue().revision, makeCatalogue("Cup").revision])
    }

    @Test("a failure of the upstream passes through and saves nothing")
    func upstreamFails() async throws {
        upstream.fails(.refused(.empty(count: 0, minimum: 1)))
        #expect(try await provider.failure() == .refused(.empty(count: 0, minimum: 1)))
        #expect(store.saved.isEmpty)
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

    @Test("a store is not asked again once there was an answer, which is the last good snapshot from then on")
    func ownLastGood() async throws {
        store.gives(makeSnapshot("Stored"))
        let provider = provider
        for _ in 0..<3 { _ = try await provider.ask() }
        let passed = upstream.requests.map(\.lastGood?.revision)
        let own = makeCatalogue().revision
        #expect(passed == [makeCatalogue("Stored").revision, own, own])
        #expect(store.calls == 1)
    }

    @Test(
        "an empty or broken store is no reason not to ask",
        arguments: [.notStored, .storeFailed(detail: "x")] as [ProductsFailure])
    func emptyStore(failure: ProductsFailure) async throws {
        store.fails(failure)
        #expect(try await provider.ask().snapshot.revision == makeCatalogue().revision)
        #expect(upstream.requests.map(\.lastGood?.revision) == [nil])
        #expect(store.saved.count == 1)
    }

    @Test(
        "nothing is saved before a store that was too slow has answered; then its catalogue is the measure",
        .timeLimit(.minutes(1)))
    func lateStore() async throws {
        store.fails(.storeFailed(detail: "x", answered: false))
        let provider = provider
        for _ in 0..<3 { #expect(try await provider.ask().steps == ["caching: skipped"]) }
        #expect(store.saved.isEmpty)
        store.gives(makeSnapshot("Stored"))
        let request = ProductsRequest(lastGood: makeSnapshot("Taken above meanwhile"))
        while store.saved.isEmpty {
            _ = try await provider.products(for: request)
            await Task.yield()
        }
        #expect(store.saved.map(\.revision) == [makeCatalogue().revision])
        #expect(upstream.requests.last?.lastGood?.revision == makeCatalogue("Stored").revision)
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
