internal import Configuration
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

/// `merge` over parts that vary by a request header.
struct MergeVariantsTests {
    @Test("what a part is compared with, and what was joined last, are the audience's own")
    func apart() async throws {
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
        #expect(gold.requests.map { $0.lastGood?.products.map(\.id) } == [nil, ["g1", "g2"]])
        #expect(rest.requests.map { $0.lastGood?.products.map(\.id) } == [nil, ["r1"]])
        let answer = try await merged.products(for: ProductsRequest(headers: ["x-tier": "gold"]))
        #expect(answer.steps.last == "merge: unchanged")
    }
}
