internal import FoundationEssentials
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

struct MergePartsTests {
    private static let now = ManualWallClock().now

    private static func answer(
        age: Double = 0, _ origin: ProductsOrigin = .network, freshness: Freshness? = nil
    ) -> ProductsAnswer {
        ProductsAnswer(snapshot: makeSnapshot(fetchedAt: now - age, origin: origin), freshness: freshness)
    }

    private static func freshness(
        _ verdict: Freshness.Verdict, isOffline: Bool = false, until seconds: Double
    ) -> Freshness {
        Freshness(
            verdict: verdict, isOffline: isOffline, freshUntil: now + seconds, servableUntil: now + 10 * seconds,
            staleWhileRevalidate: .seconds(seconds), staleIfError: .seconds(2 * seconds))
    }

    @Test func `the whole is as old as its oldest part`() {
        let parts = MergeParts(answers: [Self.answer(age: 5), Self.answer(age: 60), Self.answer()])
        #expect(parts.fetchedAt == Self.now - 60)
    }

    @Test(
        arguments: [
            ([.network, .store, .bundled], .network), ([.bundled, .network], .network), ([.bundled, .store], .store),
            ([.bundled], .bundled),
        ] as [([ProductsOrigin], ProductsOrigin)])
    func `the whole is from the network when any part is`(origins: [ProductsOrigin], origin: ProductsOrigin) {
        #expect(MergeParts(answers: origins.map { Self.answer($0) }).origin == origin)
    }

    @Test func `of several statements of freshness the worse one counts in each respect`() {
        let miss = Freshness.Verdict.forwarded(reason: .miss, status: nil, stored: true)
        let parts = MergeParts(answers: [
            Self.answer(freshness: Self.freshness(.hit, until: 30)),
            Self.answer(freshness: Self.freshness(miss, isOffline: true, until: 60)),
            Self.answer(freshness: Self.freshness(.hit, until: 45)),
        ])
        #expect(
            parts.freshness
                == Freshness(
                    verdict: miss, isOffline: true, freshUntil: Self.now + 30, servableUntil: Self.now + 300,
                    staleWhileRevalidate: .seconds(30), staleIfError: .seconds(60)))
    }

    @Test func `nothing is stated of parts that say nothing, and beside one that does they were asked for`() {
        #expect(MergeParts(answers: [Self.answer(), Self.answer()]).freshness == nil)
        let mixed = MergeParts(answers: [Self.answer(), Self.answer(freshness: Self.freshness(.hit, until: 30))])
        let bypass = Freshness.Verdict.forwarded(reason: .bypass, status: nil, stored: false)
        #expect(mixed.freshness == Self.freshness(bypass, until: 30))
    }
}

/// `merge` over parts that vary by a request header.
struct MergeVariantsTests {
    @Test func `what was joined last is the audience's own`() async throws {
        let gold = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot(ids: ["g1", "g2"])) }
        let rest = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot(ids: ["r1"])) }
        let common = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot(ids: ["c1"])) }
        let merged = MergeProductsProviderStrategy(
            parts: [
                .init(
                    name: "varying",
                    provider: AudienceProductsProviderStrategy(
                        header: "x-tier", cases: ["gold": gold], otherwise: rest)),
                .init(name: "common", provider: common),
            ], variations: [AudienceRule(header: "x-tier", audiences: ["gold"]).variation])
        for _ in 0..<2 {
            for (tier, ids) in [("gold", ["g1", "g2", "c1"]), ("bronze", ["r1", "c1"])] {
                let answer = try await merged.products(for: ProductsRequest(headers: ["x-tier": tier]))
                #expect(answer.snapshot.products.map(\.id) == ids)
            }
        }
        #expect([gold.calls, rest.calls, common.calls] == [2, 2, 4])
        let answer = try await merged.products(for: ProductsRequest(headers: ["x-tier": "gold"]))
        #expect(answer.steps.last == "merge: unchanged")
    }
}

struct MergeKeyTests {
    private func catalogue(_ products: (id: String, sku: String?)...) throws -> Catalogue {
        try Catalogue(
            products: products.map { id, sku in
                var product = makeProduct(id: id)
                product.details.attributes = sku.map { ["sku": .string($0)] } ?? [:]
                return product
            })
    }

    @Test(arguments: [(MergeDuplicates.first, ["1", "2", "3", "5"]), (.last, ["1", "4", "3", "5"])])
    func `products with one key in two parts are one, and those without it stay`(
        duplicates: MergeDuplicates, ids: [String]
    ) throws {
        let parts = [
            try catalogue(("1", "A"), ("2", "B"), ("3", nil)), try catalogue(("4", "B"), ("5", "C")),
        ]
        #expect(try duplicates.joined(parts, by: "sku").texts.map(\.id) == ids)
    }

    @Test func `a key that two products of one part share is refused, and under reject also one of two parts`() throws {
        let one = try catalogue(("1", "A"), ("2", "A"))
        let others = try catalogue(("3", "B"))
        for duplicates in [MergeDuplicates.first, .last, .reject] {
            #expect(throws: ProductsFailure.refused(.duplicateKey("A", member: "sku"))) {
                try duplicates.joined([others, one], by: "sku")
            }
        }
        #expect(throws: ProductsFailure.refused(.duplicateKey("B", member: "sku"))) {
            try MergeDuplicates.reject.joined([others, try catalogue(("4", "B"))], by: "sku")
        }
        #expect("\(RefusalReason.duplicateKey("A", member: "sku"))" == #"two products have the same "sku", "A""#)
    }

    @Test func `two products with one id and other keys are refused`() throws {
        #expect(throws: ProductsFailure.refused(.duplicateID("1", first: 0, second: 1))) {
            try MergeDuplicates.first.joined([try catalogue(("1", "A")), try catalogue(("1", "B"))], by: "sku")
        }
    }
}
