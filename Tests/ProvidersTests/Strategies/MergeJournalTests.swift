internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// What `merge` says in the log.
@Suite(.timeLimit(.minutes(1)))
struct MergeJournalTests {
    private static let down = ProductsFailure.upstreamStatus(503, retryAfter: nil)
    private let log = LogRecorder()
    private let parts = [ScriptedProvider(), ScriptedProvider()]

    init() {
        parts[0].gives(makeSnapshot(ids: ["a", "b"]))
        parts[1].gives(makeSnapshot(ids: ["c"]))
    }

    private func merge(
        duplicates: MergeDuplicates = .first, onFailure: MergeFailurePolicy = .omit
    ) -> MergeProductsProviderStrategy {
        MergeProductsProviderStrategy(
            name: "all",
            parts: [.init(name: "books", provider: parts[0]), .init(name: "toys", provider: parts[1])],
            duplicates: duplicates, onFailure: onFailure, logger: log.logger)
    }

    @Test(arguments: MergeFailurePolicy.allCases)
    func `the part that fails is named once, whether it is left out or not`(onFailure: MergeFailurePolicy) async throws
    {
        parts[1].fails(Self.down)
        let merged = merge(onFailure: onFailure)
        for _ in 0..<3 { _ = try await merged.failure() }
        #expect(log.seen == ["warning: a part of the catalogue fails"])
        #expect(
            log.seenLines.first?.metadata == [
                "provider": "all", "part": "toys", "reason": "status-503", "error": "upstream answered 503",
            ])
    }

    @Test func `another failure is told too, and the recovery`() async throws {
        let merged = merge()
        parts[1].fails(Self.down)
        _ = try await merged.ask()
        parts[1].fails(.malformed(detail: "x"))
        _ = try await merged.ask()
        parts[1].gives(makeSnapshot(ids: ["c"]))
        for _ in 0..<2 { _ = try await merged.ask() }
        #expect(
            log.seen == [
                "warning: a part of the catalogue fails", "warning: a part of the catalogue fails",
                "notice: a part of the catalogue recovered",
            ])
        #expect(log.seenLines.map { $0.metadata["part"] } == ["toys", "toys", "toys"])
    }

    @Test
    func `where parts vary by a header, what is told once is told once for each variant, which is named`() async throws
    {
        let gold = ScriptedProvider { throw Self.down }
        let strategy = AudienceProductsProviderStrategy(header: "x-tier", cases: ["gold": gold], otherwise: parts[1])
        let merged = MergeProductsProviderStrategy(
            name: "all",
            parts: [.init(name: "books", provider: parts[0]), .init(name: "toys", provider: strategy)],
            onFailure: .omit, variations: [AudienceRule(header: "x-tier", audiences: ["gold"]).variation],
            logger: log.logger)
        let duplicate = makeSnapshot(ids: ["a"])
        parts[1].gives(duplicate)
        let ask = { (tier: String) in
            _ = try await merged.products(for: ProductsRequest(headers: ["x-tier": tier]))
        }
        for tier in ["gold", "bronze", "gold", "bronze"] { try await ask(tier) }
        gold.gives(duplicate)
        for tier in ["bronze", "gold", "gold"] { try await ask(tier) }
        #expect(
            zip(log.seen, log.seenLines).map { "\($0) \($1.metadata["variant"] ?? "")" } == [
                "warning: a part of the catalogue fails cases.gold",
                "info: products with duplicate ids omitted otherwise",
                "notice: a part of the catalogue recovered cases.gold",
                "info: products with duplicate ids omitted cases.gold",
            ])
    }

    @Test func `a part that was called off has not failed`() async throws {
        parts[0].hold()
        parts[1].fails(Self.down)
        _ = try await merge(onFailure: .fail).failure()
        #expect(parts[0].cancellations == 1)
        #expect(log.seenLines.map { $0.metadata["part"] } == ["toys"])
    }

    @Test(arguments: [.first, .last] as [MergeDuplicates])
    func `products that are left out for their ids are counted when there are more or fewer`(policy: MergeDuplicates)
        async throws
    {
        let merged = merge(duplicates: policy)
        for ids in [["c"], ["a", "c"], ["a", "c"], ["b", "c"], ["a", "b"], ["c"]] {
            parts[1].gives(makeSnapshot(ids: ids))
            _ = try await merged.ask()
        }
        #expect(log.seenLines.map { $0.metadata["items"] } == ["1", "2", "0"])
        #expect(log.seen.allSatisfy { $0 == "info: products with duplicate ids omitted" })
    }
}
