internal import Configuration
internal import FileSystem
internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers
@testable internal import Wiring

/// The catalogues that `validated` refuses, and the way past it.
@Suite(.timeLimit(.minutes(1)))
struct QuarantineTests {
    private static let refused = "warning: catalogue refused"

    @Test func `the night of the wrong prices: without a bound all of them pass, with one none does`() async throws {
        let (good, bad) = (try GateFixture.shop(count: 230), try GateFixture.shop(raised: 230, count: 230))
        let trusting = GateFixture(CatalogueRules())
        #expect(try await trusting.token(of: good) == nil)
        #expect(try await trusting.token(of: bad) == nil)
        let gate = GateFixture(CatalogueRules(limits: GateFixture.prices))
        #expect(try await gate.token(of: good) == nil)
        for _ in 0..<3 { #expect(try await gate.token(of: bad) == "price-change") }
        let failure = try await gate.provider.failure()
        #expect(
            failure?.description
                == "catalogue refused: 230 of 230 prices moved by more than the factor 3, above the share 0.3: "
                + (0..<5).map { "\"p\($0)\": price 12 EUR -> 120 EUR" }.joined(separator: ", "))
        #expect(try await gate.token(of: try GateFixture.shop(raised: 69, count: 230)) == nil)
    }

    @Test func `a refusal is logged once, and another one again`() async throws {
        let gate = GateFixture(CatalogueRules(limits: GateFixture.prices))
        let good = try GateFixture.shop()
        _ = try await gate.token(of: good)
        for _ in 0..<3 { _ = try await gate.token(of: try GateFixture.shop(raised: 20)) }
        #expect(gate.log.seen == [Self.refused])
        let metadata = gate.log.metadata(of: Self.refused)[0]
        #expect(metadata["reason"] == "price-change")
        #expect(metadata["baseline"] == good.revision)
        #expect(metadata["error"]?.contains("\"p0\": price 12 EUR -> 120 EUR") == true)
        for _ in 0..<3 { _ = try await gate.token(of: try GateFixture.shop(raised: 19)) }
        #expect(gate.log.seen == [Self.refused, Self.refused])
    }

    @Test
    func `what was refused before the store was read is judged anew when it is, and logged again for another reason`()
        async throws
    {
        let store = ScriptedProvider()
        store.fails(.timedOut(after: nil))
        let gate = GateFixture(CatalogueRules(), store: store)
        let bad = try Catalogue(products: [makeProduct(amount: -1)])
        #expect(try await gate.token(of: bad) == "negative-price")
        store.gives(makeSnapshot(count: 9, origin: .store))
        while await gate.baseline.size(for: ProductsRequest()).size == nil { await Task.yield() }
        #expect(try await gate.token(of: bad) == "shrunken")
        #expect(gate.log.seen == [Self.refused, Self.refused])
    }

    @Test func `the refused catalogue is shown with the one that it would replace, until one passes`() async throws {
        let gate = GateFixture(CatalogueRules(limits: GateFixture.prices))
        let (good, bad) = (try GateFixture.shop(), try GateFixture.shop(raised: 20))
        _ = try await gate.token(of: good)
        #expect(gate.provider.quarantined == nil)
        let start = gate.wall.now
        _ = try await gate.token(of: bad)
        gate.pass(.seconds(30))
        _ = try await gate.token(of: bad)
        let quarantined = try #require(gate.provider.quarantined)
        #expect(quarantined.catalogue === bad)
        #expect(quarantined.baseline === good)
        #expect(quarantined.failure.token == "price-change")
        #expect(quarantined.since == start)
        #expect(quarantined.withheldUntil == nil)
        _ = try await gate.token(of: good)
        #expect(gate.provider.quarantined == nil)
    }

    @Test func `an unchecked substitute, or a failure, ends no quarantine`() async throws {
        let gate = GateFixture(CatalogueRules(limits: GateFixture.prices))
        let good = try GateFixture.shop()
        _ = try await gate.token(of: good)
        _ = try await gate.token(of: try GateFixture.shop(raised: 20))
        let failed = TrailStep(node: "fallback", outcome: .failed(.timedOut(after: nil)))
        #expect(try await gate.token(of: good, ProductsRequest(), [failed]) == nil)
        gate.upstream.fails(.timedOut(after: nil))
        _ = try await gate.provider.failure()
        #expect(gate.provider.quarantined != nil)
    }

    @Test func `what an operator accepts goes through once`() async throws {
        let gate = GateFixture(CatalogueRules(limits: GateFixture.prices))
        let (good, bad) = (try GateFixture.shop(), try GateFixture.shop(raised: 20))
        _ = try await gate.token(of: good)
        #expect(!gate.provider.accept(revision: bad.revision))
        _ = try await gate.token(of: bad)
        #expect(!gate.provider.accept(revision: good.revision))
        #expect(gate.provider.accept(revision: bad.revision))
        #expect(try await gate.token(of: good) == nil)
        #expect(try await gate.token(of: bad) == nil)
        #expect(gate.log.seen == [Self.refused, "notice: an accepted catalogue goes through"])
        #expect(gate.provider.quarantined == nil)
        #expect(try await gate.token(of: good) == "price-change")
        #expect(gate.provider.accept(revision: good.revision))
        #expect(try await gate.token(of: good) == nil)
        #expect(try await gate.token(of: bad) == "price-change")
    }

    @Test func `what the upstream made of an accepted catalogue goes through, if it is near enough`() async throws {
        let gate = GateFixture(CatalogueRules(limits: GateFixture.prices))
        _ = try await gate.token(of: try GateFixture.shop())
        let bad = try GateFixture.shop(raised: 20)
        _ = try await gate.token(of: bad)
        #expect(gate.provider.accept(revision: bad.revision))
        #expect(try await gate.token(of: try GateFixture.shop(raised: 10)) == "price-change")
        #expect(try await gate.token(of: try GateFixture.shop(raised: 20, name: "Cup")) == nil)
    }

    @Test func `an accepted catalogue may break any rule`() async throws {
        let gate = GateFixture(CatalogueRules())
        let empty = try Catalogue(products: [])
        #expect(try await gate.token(of: empty) == "empty")
        #expect(gate.provider.accept(revision: empty.revision))
        #expect(try await gate.token(of: empty) == nil)
    }

    @Test func `a catalogue that is pinned below passes, and nothing is compared with it`() async throws {
        let gate = GateFixture(CatalogueRules(limits: GateFixture.prices))
        let (good, bad) = (try GateFixture.shop(), try GateFixture.shop(raised: 20))
        _ = try await gate.token(of: good)
        let pinned = TrailStep(node: "disk", outcome: .pinned)
        #expect(try await gate.token(of: bad, ProductsRequest(), [pinned]) == nil)
        #expect(try await gate.token(of: good) == nil)
        #expect(try await gate.token(of: bad) == "price-change")
    }

    @Test func `after a start prices are compared with those in the store`() async throws {
        let store = ScriptedProvider()
        store.gives(ProductsSnapshot(catalogue: try GateFixture.shop(), fetchedAt: Date(), origin: .store))
        let gate = GateFixture(CatalogueRules(limits: GateFixture.prices), store: store)
        #expect(try await gate.token(of: try GateFixture.shop(raised: 20)) == "price-change")
    }

    @Test func `a reload keeps the quarantine and what was compared with, and new rules decide anew`() async throws {
        let rules = CatalogueRules(limits: GateFixture.prices)
        let first = GateFixture(rules)
        let (good, bad) = (try GateFixture.shop(), try GateFixture.shop(raised: 20))
        _ = try await first.token(of: good)
        _ = try await first.token(of: bad)
        let second = GateFixture(rules, following: first)
        #expect(second.provider.quarantined?.catalogue === bad)
        #expect(try await second.token(of: bad) == "price-change")
        #expect(second.log.seen == [])
        let third = GateFixture(CatalogueRules(), following: second)
        #expect(try await third.token(of: bad) == nil)
        #expect(second.provider.quarantined != nil)
    }

    @Test func `rules that a reload adds are of use at once, if there is a store`() async throws {
        let store = ScriptedProvider()
        let good = try GateFixture.shop()
        store.gives(ProductsSnapshot(catalogue: good, fetchedAt: Date(), origin: .store))
        let first = GateFixture(CatalogueRules(), store: store)
        _ = try await first.token(of: good)
        let second = GateFixture(CatalogueRules(limits: GateFixture.prices), store: store, following: first)
        #expect(try await second.token(of: try GateFixture.shop(raised: 20)) == "price-change")
    }

    @Test
    func `by the config: prices are compared over a start and a reload, and an operator lets them through`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory("products.json")
        let store = "{ type: json_file, directory: \(directory("store")) }"
        let yaml = { (factor: String) in
            """
            { type: caching, store: \(store), upstream: { type: validated, baseline: \(store), \
            max_price_change: { factor: \(factor), share: 0.3 }, upstream: { type: file, path: \(path) } } }
            """
        }
        try Files.create(path, try GateFixture.shop().encoded)
        let first = try makeProvider(yaml("3"))
        _ = try await first.provider.ask()
        await first.assembly.shutDown()
        let bad = try GateFixture.shop(raised: 20)
        try Files.replace(path, with: bad.encoded, temporary: directory("temporary"))
        let log = LogRecorder()
        let second = try makeProvider(yaml("3"), resources: makeResources(log))
        #expect(try await second.provider.failure()?.token == "price-change")
        let third = try makeProvider(yaml("4"), resources: makeResources(log), replacing: second.assembly)
        #expect(try await third.provider.failure()?.token == "price-change")
        #expect(log.count(of: Self.refused) == 1)
        let gates = third.assembly.components(of: ProviderFamily.self).compactMap {
            $0.instance as? any QuarantiningProvider
        }
        #expect(gates.map { $0.quarantined?.catalogue.revision } == [bad.revision])
        #expect(gates.first?.accept(revision: bad.revision) == true)
        #expect(try await third.provider.ask().snapshot.revision == bad.revision)
    }

    @Test func `each variant of the requests has its own refusal, and the last one is shown`() async throws {
        let gold = ProductsRequest(headers: ["x-tier": "gold"])
        let division = VariantKey([AudienceRule(header: "x-tier", audiences: ["gold"]).variation])
        let gate = GateFixture(CatalogueRules(limits: GateFixture.prices), division: division)
        let (good, bad) = (try GateFixture.shop(), try GateFixture.shop(raised: 20))
        let (goodGold, badGold) = (try GateFixture.shop(name: "Cup"), try GateFixture.shop(raised: 20, name: "Cup"))
        _ = try await gate.token(of: good)
        _ = try await gate.token(of: goodGold, gold)
        for _ in 0..<3 {
            #expect(try await gate.token(of: bad) == "price-change")
            #expect(try await gate.token(of: badGold, gold) == "price-change")
            #expect(gate.provider.quarantined?.catalogue === badGold)
        }
        #expect(gate.log.seen == [Self.refused, Self.refused])
        _ = try await gate.token(of: good)
        #expect(gate.provider.quarantined != nil)
        _ = try await gate.token(of: goodGold, gold)
        #expect(gate.provider.quarantined == nil)
    }

    @Test
    func `when the last refused catalogue is accepted, that of another variant is shown, and can be accepted`()
        async throws
    {
        let gold = ProductsRequest(headers: ["x-tier": "gold"])
        let division = VariantKey([AudienceRule(header: "x-tier", audiences: ["gold"]).variation])
        let gate = GateFixture(CatalogueRules(limits: GateFixture.prices), division: division)
        let (bad, badGold) = (try GateFixture.shop(raised: 20), try GateFixture.shop(raised: 20, name: "Cup"))
        _ = try await gate.token(of: try GateFixture.shop())
        _ = try await gate.token(of: try GateFixture.shop(name: "Cup"), gold)
        _ = try await gate.token(of: bad)
        _ = try await gate.token(of: badGold, gold)
        #expect(gate.provider.accept(revision: badGold.revision))
        #expect(try await gate.token(of: try GateFixture.shop(raised: 1)) == nil)
        #expect(try await gate.token(of: bad) == "price-change")
        #expect(try await gate.token(of: badGold, gold) == nil)
        #expect(try await gate.token(of: bad) == "price-change")
        #expect(gate.provider.quarantined?.catalogue === bad)
        #expect(gate.provider.accept(revision: bad.revision))
        #expect(try await gate.token(of: bad) == nil)
        #expect(gate.provider.quarantined == nil)
    }
}
