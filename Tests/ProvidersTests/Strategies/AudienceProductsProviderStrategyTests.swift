internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct AudienceProductsProviderStrategyTests {
    private let gold = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("Gold")) }
    private let silver = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("Silver")) }
    private let rest = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("Rest")) }

    private var strategy: AudienceProductsProviderStrategy {
        AudienceProductsProviderStrategy(header: "X-Tier", cases: ["gold": gold, "silver": silver], otherwise: rest)
    }

    @Test(arguments: [
        ("gold", "Gold", "audience: gold"), ("silver", "Silver", "audience: silver"),
        (nil, "Rest", "audience: otherwise"), ("", "Rest", "audience: otherwise"),
        ("bronze", "Rest", "audience: otherwise"), ("otherwise", "Rest", "audience: otherwise"),
    ])
    func `the header's value chooses; what is no case is otherwise`(value: String?, name: String, step: String)
        async throws
    {
        let answer = try await strategy.products(for: request(value))
        #expect(answer.snapshot.revision == makeCatalogue(name).revision)
        #expect(answer.steps == [step])
        #expect(gold.calls + silver.calls + rest.calls == 1)
    }

    @Test(arguments: [
        (" gold\t", "Gold"), ("Gold", "Rest"), ("gold, gold", "Rest"), ("gold;", "Rest"), ("go ld", "Rest"),
    ])
    func `blanks around a value do not count, and everything else does`(value: String, name: String) async throws {
        let answer = try await strategy.products(for: request(value))
        #expect(answer.snapshot.revision == makeCatalogue(name).revision)
    }

    @Test func `a failure passes through, and nobody else's provider is asked`() async throws {
        gold.fails(.upstreamStatus(503, retryAfter: nil))
        await #expect(throws: ProductsFailure.upstreamStatus(503, retryAfter: nil)) {
            try await strategy.products(for: request("gold"))
        }
        #expect(silver.calls + rest.calls == 0)
    }

    @Test func `the provider gets the request as it came`() async throws {
        var request = request("gold")
        request.analyticsOptOut = true
        _ = try await strategy.products(for: request)
        #expect(gold.requests.map(\.analyticsOptOut) == [true])
        #expect(gold.requests.map(\.headers) == [["x-tier": "gold"]])
    }

    @Test(arguments: ["gold", " gold ", "silver", "GOLD", "", "otherwise", nil])
    func `what answers vary by agrees with whom is asked`(value: String?) {
        let rule = AudienceRule(header: "x-tier", audiences: ["gold", "silver", "otherwise"])
        let variant = rule.variation.variant(value)
        #expect(rule.variation.variants.contains(variant))
        #expect(variant == (rule.audience(ofValue: value).map { "cases.\($0)" } ?? "otherwise"))
    }

    @Test func `the variant of an audience with a name does not tell its value`() {
        let rule = AudienceRule(header: "x-key", audiences: ["s3cret", "gold"], names: ["s3cret": "${KEY}"])
        #expect(rule.variation.variants == ["cases.gold", "cases.${KEY}", "otherwise"])
        #expect(rule.variation.variant("s3cret") == "cases.${KEY}")
        #expect(rule.variation.variant("${KEY}") == "otherwise")
    }

    private func request(_ value: String?) -> ProductsRequest {
        ProductsRequest(headers: value.map { ["x-tier": $0] } ?? [:])
    }
}
