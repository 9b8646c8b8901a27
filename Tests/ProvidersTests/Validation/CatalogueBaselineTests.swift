internal import Configuration
internal import FileSystem
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// `validated` and the catalogue that it compares with.
@Suite(.timeLimit(.minutes(1)))
struct CatalogueBaselineTests {
    private let upstream = ScriptedProvider()
    private let store = ScriptedProvider()

    private func validated(_ baseline: CatalogueBaseline) -> ValidatedProductsProviderDecorator {
        ValidatedProductsProviderDecorator(upstream: upstream, baseline: baseline)
    }

    /// What a provider does with a catalogue of so many products: its failure's token, or the trail.
    private func outcome(
        _ count: Int, of provider: some ProductsProvider, _ request: ProductsRequest = ProductsRequest()
    ) async throws -> String {
        upstream.gives(makeSnapshot("Of \(count)", count: count))
        do {
            return try await provider.products(for: request).steps.joined(separator: ", ")
        } catch let failure as ProductsFailure {
            return failure.token
        }
    }

    @Test
    func `the first catalogue is compared with the stored one, later ones with the last that was accepted`()
        async throws
    {
        store.gives(makeSnapshot("Stored", count: 10))
        let provider = validated(CatalogueBaseline(store: store))
        #expect(try await outcome(5, of: provider) == "shrunken")
        #expect(try await outcome(6, of: provider) == "")
        #expect(try await outcome(3, of: provider) == "shrunken")
        #expect(try await outcome(4, of: provider) == "")
        #expect(store.calls == 1)
    }

    @Test func `reading the store is no step on the way to the answer`() async throws {
        store.gives(makeSnapshot())
        upstream.gives(makeSnapshot())
        let recorder = SpanRecorder()
        let provider = validated(CatalogueBaseline(store: observed(store, "store", isRoot: false)))
        _ = try await observed(provider, "validated").ask(explanation: Explanation(recorder: recorder))
        #expect(store.calls == 1)
        #expect(recorder.spans.map(\.node) == ["validated"])
    }

    @Test func `an accepted catalogue is measured and not kept`() async throws {
        let provider = validated(CatalogueBaseline())
        upstream.gives(makeSnapshot("Many", count: 10))
        let lifetime = try await provider.ask().snapshot.catalogue.lifetime
        #expect(!lifetime.isOver)
        upstream.fails(.notStored)
        await yieldUntil { lifetime.isOver }
        #expect(try await outcome(5, of: provider) == "shrunken")
    }

    @Test func `without a store the first catalogue may have any size, and is the measure from then on`() async throws {
        let provider = validated(CatalogueBaseline())
        #expect(try await outcome(4, of: provider) == "")
        #expect(try await outcome(2, of: provider) == "shrunken")
    }

    @Test(arguments: [.notStored, .storeFailed(detail: "x")] as [ProductsFailure])
    func `an empty or broken store is no reason to refuse or to leave a catalogue unchecked`(failure: ProductsFailure)
        async throws
    {
        store.fails(failure)
        let provider = validated(CatalogueBaseline(store: store))
        #expect(try await outcome(4, of: provider) == "")
        #expect(try await outcome(2, of: provider) == "shrunken")
    }

    @Test
    func `catalogues pass unchecked until a store that was too slow has answered; then its catalogue is the measure`()
        async throws
    {
        store.fails(.storeFailed(detail: "x", answered: false))
        let provider = validated(CatalogueBaseline(store: store))
        for _ in 0..<3 { #expect(try await outcome(4, of: provider) == "validated: unchecked") }
        store.gives(makeSnapshot("Stored", count: 10))
        var told = ""
        while told != "shrunken" {
            told = try await outcome(4, of: provider)
            #expect(["validated: unchecked", "shrunken"].contains(told))
            await Task.yield()
        }
    }

    @Test func `a substitute is the measure only where there is none, and only from a store`() async throws {
        let provider = validated(CatalogueBaseline())
        let failed = TrailStep(node: "fallback", outcome: .failed(.timedOut(after: nil)))
        for (origin, count) in [(.bundled, 100), (.store, 10), (.store, 6)] as [(ProductsOrigin, Int)] {
            upstream.does {
                ProductsAnswer(snapshot: makeSnapshot("Sub", count: count, origin: origin), trail: [failed])
            }
            _ = try await provider.ask()
        }
        #expect(try await outcome(5, of: provider) == "shrunken")
        #expect(try await outcome(6, of: provider) == "")
    }

    @Test func `what is meant for other requests is no measure`() async throws {
        let provider = validated(CatalogueBaseline())
        let trail = [
            TrailStep(node: "ab_test", outcome: .failed(.timedOut(after: nil))),
            TrailStep(node: "ab_test", outcome: .substituted(role: "a")),
        ]
        upstream.does { ProductsAnswer(snapshot: makeSnapshot("A", count: 100, origin: .store), trail: trail) }
        _ = try await provider.ask()
        #expect(try await outcome(10, of: provider) == "")
    }

    @Test
    func `each variant of the requests has a measure of its own, and a reload keeps them under the same division only`()
        async throws
    {
        let gold = ProductsRequest(headers: ["x-tier": "gold"])
        let division = VariantKey([AudienceRule(header: "x-tier", audiences: ["gold"]).variation])
        let baseline = CatalogueBaseline(division: division)
        let provider = validated(baseline)
        #expect(try await outcome(100, of: provider, gold) == "")
        #expect(try await outcome(10, of: provider) == "")
        let successor = validated(CatalogueBaseline(division: division, following: baseline))
        #expect(try await outcome(10, of: successor, gold) == "shrunken")
        #expect(try await outcome(9, of: successor) == "")
        let other = validated(CatalogueBaseline(following: baseline))
        #expect(try await outcome(1, of: other, gold) == "")
    }

    @Test
    func `by the config: a new process refuses what shrank against the store, and a reload keeps the measure`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory("products.json")
        let store = "{ type: json_file, directory: \(directory("store")) }"
        let yaml = { (more: String) in
            """
            { type: caching, store: \(store), upstream: \
            { type: validated, \(more), upstream: { type: file, path: \(path) } } }
            """
        }
        try Files.create(path, makeBody(count: 10))
        let first = try makeProvider(yaml("baseline: \(store)"))
        _ = try await first.provider.ask()
        await first.assembly.shutDown()
        try Files.replace(path, with: makeBody("Few", count: 5), temporary: directory("temporary"))
        let second = try makeProvider(yaml("baseline: \(store)"))
        #expect(try await second.provider.failure() == .refused(.shrunken(from: 10, to: 5)))
        let third = try makeProvider(yaml("minimum: 1"), replacing: second.assembly)
        #expect(try await third.provider.failure() == .refused(.shrunken(from: 10, to: 5)))
    }
}
