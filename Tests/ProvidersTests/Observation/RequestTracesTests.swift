@testable import Concurrency
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct SpanRecorderTests {
    private let clock = ManualClock()

    @Test
    func `an explained request tells when each provider was asked, how long it took, and what it did`() async throws {
        let recorder = SpanRecorder(timedBy: clock)
        let source = ScriptedProvider { [clock] in
            clock.advance(by: .milliseconds(30))
            return ProductsAnswer(
                snapshot: makeSnapshot(), trail: [TrailStep(node: "source", outcome: .fetched)])
        }
        let below = observed(source, "below")
        let waiting = ScriptedProvider { [clock] in
            clock.advance(by: .milliseconds(12))
            throw ProductsFailure.notStored
        }
        let provider = observed(
            FallbackProductsProviderStrategy(primary: observed(waiting, "first"), secondary: below), "root")
        clock.advance(by: .seconds(1))
        let answer = try await provider.ask(explanation: Explanation(recorder: recorder))
        let spans = recorder.spans
        #expect(spans.map(\.node) == ["root", "first", "below"])
        #expect(spans.map(\.parent) == [nil, 0, 0])
        #expect(spans.map(\.begin) == [.seconds(1), .seconds(1), .milliseconds(1012)])
        #expect(spans.map(\.end) == [.milliseconds(1042), .milliseconds(1012), .milliseconds(1042)])
        #expect(spans.map(\.outcome) == [.answered, .failed(.notStored), .answered])
        #expect(spans[0].trail == answer.trail)
        #expect(spans[2].trail.map(\.description) == ["source: fetched"])
    }

    @Test func `a request is followed into the refresh that it waits for, and not into one behind it`() async throws {
        let (wall, traces) = (ManualWallClock(), RecentTraces())
        let source = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot(fetchedAt: wall.now)) }
        let memory = MemoryProductsProviderDecorator(
            upstream: observed(source, "source"), wallClock: wall.wallClock, clock: clock, logger: LogRecorder().logger,
            traces: RefreshTraces(traces))
        let provider = observed(memory, "memory")
        #expect(try await explained(provider) == ["memory", "source"])
        wall.advance(by: .seconds(40))
        #expect(try await explained(provider) == ["memory"])
        await source.wait(calls: 2)
        let refresh = source.explanations[1]?.recorder as? SpanRecorder
        #expect(refresh?.spans.map(\.node) == ["source"])
    }

    @Test func `a cancelled span is no failure`() async throws {
        let recorder = SpanRecorder()
        let source = ScriptedProvider { throw CancellationError() }
        await #expect(throws: CancellationError.self) {
            try await observed(source, "source").ask(explanation: Explanation(recorder: recorder))
        }
        #expect(recorder.spans.map(\.outcome) == [.cancelled])
        #expect(recorder.spans.map(\.end) == [nil])
    }

    private func explained(_ provider: some ProductsProvider) async throws -> [String] {
        let recorder = SpanRecorder(timedBy: clock)
        _ = try await provider.ask(explanation: Explanation(recorder: recorder))
        return recorder.spans.map(\.node)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct RecentTracesTests {
    private let clock = ManualClock()
    private let traces: RecentTraces

    init() {
        traces = RecentTraces(sampler: TraceSampler(uptime: Uptime(of: clock)))
    }

    @Test func `the last way of each sort is shown, and one that is both is shown twice`() throws {
        for number in 0..<5 {
            traces.finish(walked("root \(number)"), isAnswer: true, isRefresh: false)
            traces.finish(walked("below \(number)"), isAnswer: false, isRefresh: true)
            #expect(traces.answer.map(\.node) == ["root \(number)"])
            #expect(traces.refresh.map(\.node) == ["below \(number)"])
        }
        traces.finish(walked("root", "below"), isAnswer: true, isRefresh: true)
        #expect(traces.answer.map(\.node) == ["root", "below"])
        #expect(traces.refresh.map(\.node) == ["root", "below"])
    }

    @Test
    func `of a rush of requests few are followed, and none of the others further down; what is asked for them is`()
        async throws
    {
        let source = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
        let below = observed(source, "below", isRoot: false, traces: traces)
        let root = observed(
            FallbackProductsProviderStrategy(primary: below, secondary: below), "root", traces: traces)
        for _ in 0..<1000 { _ = try await root.products(for: ProductsRequest()) }
        #expect(source.isFollowed.count { $0 } == 32)
        _ = try await root.products(for: ProductsRequest())
        #expect(source.isFollowed.last == false)
        #expect(traces.answer.map(\.node) == ["root", "below"])
        _ = try await RefreshTraces(traces).products(of: below, for: ProductsRequest())
        #expect(traces.refresh.map(\.node) == ["below"])
        clock.advance(by: .milliseconds(110))
        _ = try await root.products(for: ProductsRequest())
        #expect(source.isFollowed.last == true)
    }

    @Test func `a way whose caller has gone is not kept`() async throws {
        let source = ScriptedProvider { throw CancellationError() }
        await #expect(throws: CancellationError.self) {
            try await observed(source, "root", traces: traces).products(for: ProductsRequest())
        }
        #expect(source.isFollowed.last == true)
        #expect(traces.answer.isEmpty && traces.refresh.isEmpty)
    }

    private func walked(_ nodes: String...) -> SpanRecorder {
        let recorder = SpanRecorder()
        var parent: ExplanationSpan?
        for node in nodes { parent = recorder.begin(node, within: parent) }
        return recorder
    }
}

extension ScriptedProvider {
    fileprivate var isFollowed: [Bool] { explanations.map { $0 != nil } }
}

struct TraceSamplerTests {
    private let clock = ManualClock()
    private let sampler: TraceSampler

    init() {
        sampler = TraceSampler(uptime: Uptime(of: clock))
    }

    @Test func `requests that come slowly are all followed`() {
        for _ in 0..<1000 {
            #expect(sampler.chooses())
            clock.advance(by: .milliseconds(101))
        }
    }

    @Test func `of those that come fast about ten a second are, after the first few`() {
        #expect(chosen(of: 10_000, over: .zero) == 32)
        #expect((95...105).contains(chosen(of: 10_000, over: .seconds(10))))
        #expect(chosen(of: 100_000, over: .seconds(1)) <= 11)
    }

    @Test func `after a rush a while without requests is enough for some in a row, and a long one for no more`() {
        _ = chosen(of: 100, over: .zero)
        clock.advance(by: .milliseconds(505))
        #expect(chosen(of: 100, over: .zero) == 5)
        clock.advance(by: .seconds(86_400))
        #expect(chosen(of: 100, over: .zero) == 32)
    }

    @Test func `of many at once few are, and no later one is lost for it`() async {
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { for _ in 0..<1000 { _ = sampler.chooses() } } }
        }
        #expect(!sampler.chooses())
        clock.advance(by: .milliseconds(101))
        #expect(sampler.chooses())
    }

    private func chosen(of count: Int, over time: Duration) -> Int {
        (0..<count).count { _ in
            defer { clock.advance(by: time / count) }
            return sampler.chooses()
        }
    }
}
