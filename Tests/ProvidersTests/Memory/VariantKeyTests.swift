internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Providers

struct VariantKeyTests {
    private let division = VariantKey([
        AudienceRule(header: "x-tier", audiences: ["gold", "silver"]).variation,
        RequestVariation(header: "X-Beta", rule: "beta", variants: ["yes", "no"]) { $0 == nil ? 1 : 0 },
    ])

    @Test func `requests of one part have one key, whatever else is in them`() {
        let gold = division.key(of: ProductsRequest(headers: ["x-tier": "gold", "x-beta": "1"]))
        #expect(division.key(of: ProductsRequest(headers: ["x-tier": " gold ", "x-beta": "2"])) == gold)
        #expect(division.key(of: ProductsRequest(headers: ["x-tier": "silver", "x-beta": "1"])) != gold)
        #expect(division.key(of: ProductsRequest(headers: ["x-tier": "gold"])) != gold)
        let rest = division.key(of: ProductsRequest())
        #expect(division.key(of: ProductsRequest(headers: ["x-tier": "bronze"])) == rest)
    }

    @Test func `the headers that decide are handed on, and no others`() {
        let request = ProductsRequest(headers: ["x-tier": "gold", "x-user": "me"])
        #expect(division.headers(of: request) == ["x-tier": "gold"])
        #expect(VariantKey().headers(of: request) == [:])
    }

    @Test func `without variations all requests are one part`() {
        #expect(VariantKey().isWhole)
        #expect(VariantKey().key(of: ProductsRequest(headers: ["x-tier": "gold"])) == [])
        #expect(!division.isWhole)
    }

    @Test func `another header or other variants make another division`() {
        let audiences = AudienceRule(header: "x-tier", audiences: ["gold", "silver"])
        let same = AudienceRule(header: "x-tier", audiences: ["silver", "gold"])
        let fewer = AudienceRule(header: "x-tier", audiences: ["gold"])
        let other = AudienceRule(header: "x-role", audiences: ["gold", "silver"])
        let identities = [audiences, same, fewer, other].map { VariantKey([$0.variation]).identity }
        #expect(identities[0] == identities[1])
        #expect(Set(identities).count == 3)
    }

    @Test func `two experiments on one header are told apart, also where only their order has changed`() {
        let variations = ["banner", "prices"].map { experiment in
            RequestVariation(header: "x-user", rule: experiment, variants: ["a", "b"]) { _ in 0 }
        }
        #expect(VariantKey(variations).identity != VariantKey(variations.reversed()).identity)
    }
}
