internal import Concurrency
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite("RecentWays", .timeLimit(.minutes(1)))
struct RecentWaysTests {
    private let clock = ManualClock()
    private let ways: RecentWays

    init() {
        ways = RecentWays(sampler: WaySampler(uptime: Uptime(of: clock)))
    }

    @Test("the last way of each sort is shown, and one that is both is shown twice")
    func last() throws {
        for number in 0..<5 {
            ways.finish(walked("root \(number)"), isAnswer: true, isRefresh: false)
            ways.finish(walked("below \(number)"), isAnswer: false, isRefresh: true)
            #expect(ways.answer.map(\.node) == ["root \(number)"])
            #expect(ways.refresh.map(\.node) == ["below \(number)"])
        }
        ways.finish(walked("root", "below"), isAnswer: true, isRefresh: true)
        #expect(ways.answer.map(\.node) == ["root", "below"])
        #expect(ways.refresh.map(\.node) == ["root", "below"])
    }

    @Test("of a rush of requests few are followed, and none of the others further down; what is asked for them is")
    func rush() async throws {
        let source = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
        let below = observed(source, "below", isRoot: false, ways: ways)
        let root = observed(
            FallbackProductsProviderStrategy(primary: below, secondary: below), "root", ways: ways)
        for _ in 0..<1000 { _ = try await root.products(for: ProductsRequest()) }
        #expect(source.requests.count { $0.explanation != nil } == 32)
        _ = try await root.products(for: ProductsRequest())
        #expect(source.requests.last?.explanation == nil)
        #expect(ways.answer.map(\.node) == ["root", "below"])
        _ = try await below.products(for: ProductsRequest(isRefresh: true))
        #expect(ways.refresh.map(\.node) == ["below"])
        clock.advance(by: .milliseconds(110))
        _ = try await root.products(for: ProductsRequest())
        #expect(source.requests.last?.explanation != nil)
    }

    @Test("a way whose caller has gone is not kept")
    func cancelled() async throws {
        let source = ScriptedProvider { throw CancellationError() }
        await #expect(throws: CancellationError.self) {
            try await observed(source, "root", ways: ways).products(for: ProductsRequest())
        }
        #expect(source.requests.last?.explanation != nil)
        #expect(ways.answer.isEmpty && ways.refresh.isEmpty)
    }

    private func walked(_ nodes: String...) -> VisitRecorder {
        let recorder = VisitRecorder()
        var parent: ExplanationVisit?
        for node in nodes { parent = recorder.begin(node, within: parent) }
        return recorder
    }
}
