internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct MergeProductsProviderStrategyTests {
    private static let down = ProductsFailure.upstreamStatus(503, retryAfter: nil)

    private func merge(
        _ providers: [ScriptedProvider], duplicates: MergeDuplicates = .first, onFailure: MergeFailurePolicy = .fail
    ) -> MergeProductsProviderStrategy {
        MergeProductsProviderStrategy(
            parts: providers.enumerated().map { .init(name: "p\($0)", provider: $1) }, duplicates: duplicates,
            onFailure: onFailure)
    }

    private func provider(_ ids: [String], name: String = "Mug") -> ScriptedProvider {
        ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot(ids: ids, name: name)) }
    }

    @Test func `the catalogues are joined in the order of the providers, whoever answers first`() async throws {
        let slow = provider(["b", "a"])
        slow.hold()
        let merged = merge([slow, provider(["d"]), provider(["c"])])
        async let answer = merged.ask()
        await slow.wait(parked: 1)
        slow.release()
        #expect(try await answer.snapshot.products.map(\.id) == ["b", "a", "d", "c"])
    }

    @Test(arguments: [(.first, "a:x b:x c:y d:z"), (.last, "a:y b:x c:z d:z")] as [(MergeDuplicates, String)])
    func `an id that several have is the first's, the last's or nobody's`(policy: MergeDuplicates, expected: String)
        async throws
    {
        let parts = [
            provider(["a", "b"], name: "x"), provider(["a", "c"], name: "y"), provider(["c", "d"], name: "z"),
        ]
        let products = try await merge(parts, duplicates: policy).ask().snapshot.products
        #expect(products.map { "\($0.id):\($0.name)" }.joined(separator: " ") == expected)
        #expect(
            try await merge(parts, duplicates: .reject).failure() == .refused(.duplicateID("a", first: 0, second: 2)))
    }

    @Test func `while no part changes the joined catalogue is the same object`() async throws {
        let parts = [provider(["a"]), provider(["b"])]
        let merged = merge(parts)
        let first = try await merged.ask()
        let second = try await merged.ask()
        #expect(first.snapshot.catalogue === second.snapshot.catalogue)
        #expect([first.steps, second.steps] == [["merge: fetched"], ["merge: unchanged"]])
        parts[1].gives(makeSnapshot(ids: ["b", "c"]))
        let third = try await merged.ask()
        #expect(third.snapshot.products.map(\.id) == ["a", "b", "c"])
        #expect(third.steps == ["merge: fetched"])
    }

    @Test func `beside empty ones a catalogue is taken over as it is`() async throws {
        let whole = makeSnapshot(ids: ["a"])
        let part = ScriptedProvider { ProductsAnswer(snapshot: whole) }
        #expect(try await merge([provider([]), part]).ask().snapshot.catalogue === whole.catalogue)
        #expect(try await merge([provider([]), provider([])]).ask().snapshot.products.isEmpty)
    }

    @Test func `each provider gets the request as it came`() async throws {
        let parts = [provider(["a"]), provider(["b"])]
        _ = try await merge(parts).products(for: ProductsRequest(headers: ["x-user": "me"], analyticsOptOut: true))
        for request in parts.flatMap(\.requests) {
            #expect(request.headers == ["x-user": "me"])
            #expect(request.analyticsOptOut)
        }
        #expect(parts.map(\.calls) == [1, 1])
    }

    @Test func `under fail one failure is the answer, and the others are called off`() async throws {
        let parts = [provider(["a"]), ScriptedProvider { throw Self.down }]
        parts[0].hold()
        #expect(try await merge(parts).failure() == Self.down)
        #expect(parts[0].cancellations == 1)
    }

    @Test func `under omit the failed one is left out, and the trail says which and why`() async throws {
        let parts = [provider(["a"]), ScriptedProvider { throw Self.down }, provider(["c"])]
        parts[0].does {
            ProductsAnswer(snapshot: makeSnapshot(ids: ["a"]), trail: [TrailStep(node: "http", outcome: .fetched)])
        }
        let merged = merge(parts, onFailure: .omit)
        let answer = try await merged.ask()
        #expect(answer.snapshot.products.map(\.id) == ["a", "c"])
        #expect(answer.steps == ["http: fetched", "p1: status-503", "merge: fetched"])
        #expect(answer.failure == Self.down)
        parts[1].gives(makeSnapshot(ids: ["b"]))
        #expect(try await merged.ask().snapshot.products.map(\.id) == ["a", "b", "c"])
    }

    @Test func `under omit, when all fail, the first one's failure is the answer`() async throws {
        let parts = [ScriptedProvider { throw Self.down }, ScriptedProvider { throw ProductsFailure.notStored }]
        #expect(try await merge(parts, onFailure: .omit).failure() == Self.down)
    }

    @Test(arguments: MergeFailurePolicy.allCases)
    func `a cancelled caller cancels all, and nothing is left out for it`(onFailure: MergeFailurePolicy) async throws {
        let parts = [provider(["a"]), provider(["b"])]
        for part in parts { part.hold() }
        let merged = merge(parts, onFailure: onFailure)
        let caller = Task { try await merged.ask() }
        for part in parts { await part.wait(parked: 1) }
        caller.cancel()
        for part in parts { await part.wait(cancellations: 1) }
        await #expect(throws: CancellationError.self) { try await caller.value }
    }
}
