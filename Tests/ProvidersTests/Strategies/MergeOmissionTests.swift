internal import Configuration
internal import FileSystem
internal import FoundationEssentials
internal import Logging
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// What stands above a `merge` that leaves a failed upstream out: no catalogue may be lost by it that was whole.
@Suite(.timeLimit(.minutes(1)))
struct MergeOmissionTests {
    private static let down = ProductsFailure.upstreamStatus(503, retryAfter: nil)
    private let first = ScriptedProvider()
    private let second = ScriptedProvider()
    private let wall = ManualWallClock()
    private let clock = ManualClock()
    private let log = LogRecorder()

    init() {
        works(first, ["a", "b"])
        works(second, ["c", "d", "e", "f"])
    }

    private var merge: MergeProductsProviderStrategy {
        MergeProductsProviderStrategy(
            parts: [.init(name: "first", provider: first), .init(name: "second", provider: second)], onFailure: .omit)
    }

    private func works(_ provider: ScriptedProvider, _ ids: [String]) {
        provider.does { [wall] in ProductsAnswer(snapshot: makeSnapshot(ids: ids, fetchedAt: wall.now)) }
    }

    private func memory(over upstream: any ProductsProvider) -> MemoryProductsProviderDecorator {
        MemoryProductsProviderDecorator(
            upstream: upstream, policy: MemoryFixture.policy, wallClock: wall.wallClock, clock: clock,
            logger: log.logger)
    }

    private func pass(_ duration: Duration) {
        clock.advance(by: duration)
        wall.advance(by: duration)
    }

    @Test func `caching does not save a catalogue from which a part is missing`() async throws {
        let store = ScriptedProvider()
        let caching = CachingProductsProviderDecorator(upstream: merge, saver: store)
        _ = try await caching.ask()
        second.fails(Self.down)
        let answer = try await caching.ask()
        #expect(answer.snapshot.products.map(\.id) == ["a", "b"])
        #expect(answer.steps == ["second: status-503", "merge: fetched", "caching: skipped"])
        #expect(store.saved.map { $0.products.map(\.id) } == [["a", "b", "c", "d", "e", "f"]])
    }

    @Test
    func `validated compares the whole, so that a part that is too much of it does not go unnoticed`() async throws {
        let memory = memory(over: ValidatedProductsProviderDecorator(upstream: merge))
        #expect(try await memory.ask().snapshot.products.count == 6)
        second.fails(Self.down)
        pass(.seconds(100))
        let answer = try await memory.ask()
        #expect(answer.snapshot.products.count == 6)
        #expect(answer.failure == .refused(.shrunken(from: 6, to: 2)))
    }

    @Test func `memory serves what omit gives it, knows that the upstream fails, and recovers with it`() async throws {
        let memory = memory(over: merge)
        _ = try await memory.ask()
        second.fails(Self.down)
        pass(.seconds(100))
        let partial = try await memory.ask()
        #expect(partial.snapshot.products.map(\.id) == ["a", "b"])
        #expect(partial.freshness?.isOffline == true)
        works(second, ["c"])
        pass(.seconds(100))
        #expect(try await memory.ask().snapshot.products.map(\.id) == ["a", "b", "c"])
    }

    @Test func `with a memory around each part the products of a part that fails stay`() async throws {
        let merged = MergeProductsProviderStrategy(parts: [
            .init(name: "first", provider: memory(over: first)), .init(name: "second", provider: memory(over: second)),
        ])
        let whole = try await merged.ask()
        second.fails(Self.down)
        pass(.seconds(100))
        let answer = try await merged.ask()
        #expect(answer.snapshot.catalogue === whole.snapshot.catalogue)
        #expect(answer.snapshot.fetchedAt == wall.now - 100)
        #expect(answer.freshness?.isOffline == true)
    }

    @Test func `a config wires it, with labels on the trail for those that fail`() async throws {
        let directory = try TemporaryDirectory()
        let resources = makeResources(log, wall.wallClock)
        let yaml = """
            { type: merge, on_failure: omit, duplicates: last, \
            providers: [{ type: file, path: \(directory("none.json")) }, { type: merge, providers: [gone] }, here] }
              gone: { type: file, path: \(directory("gone.json")) }
              here: { type: file, path: \(directory("here.json")) }
            """
        try Files.create(directory("here.json"), makeBody())
        let answer = try await makeProvider(yaml, resources: resources).provider.ask()
        #expect(
            answer.steps == ["file[0]: store-failed", "merge[1]: store-failed", "here: fetched", "p: fetched"])
    }
}
