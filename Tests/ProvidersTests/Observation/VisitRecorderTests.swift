internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite("VisitRecorder", .timeLimit(.minutes(1)))
struct VisitRecorderTests {
    private let clock = ManualClock()

    @Test("an explained request tells when each provider was asked, how long it took, and what it did")
    func timed() async throws {
        let recorder = VisitRecorder(timedBy: clock)
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
        let answer = try await provider.products(
            for: ProductsRequest(explanation: Explanation(recorder: recorder)))
        let visits = recorder.visits
        #expect(visits.map(\.node) == ["root", "first", "below"])
        #expect(visits.map(\.parent) == [nil, 0, 0])
        #expect(visits.map(\.begin) == [.seconds(1), .seconds(1), .milliseconds(1012)])
        #expect(visits.map(\.end) == [.milliseconds(1042), .milliseconds(1012), .milliseconds(1042)])
        #expect(visits.map(\.outcome) == [.answered, .failed(.notStored), .answered])
        #expect(visits[0].trail == answer.trail)
        #expect(visits[2].trail.map(\.description) == ["source: fetched"])
    }

    @Test("a request is followed into the refresh that it waits for, and not into one behind it")
    func throughMemory() async throws {
        let wall = ManualWallClock()
        let source = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot(fetchedAt: wall.now)) }
        let memory = MemoryProductsProviderDecorator(
            upstream: observed(source, "source"), wallClock: wall.wallClock, clock: clock, logger: LogRecorder().logger)
        let provider = observed(memory, "memory")
        #expect(try await explained(provider) == ["memory", "source"])
        wall.advance(by: .seconds(40))
        #expect(try await explained(provider) == ["memory"])
        await source.wait(calls: 2)
        #expect(source.requests[1].explanation?.recorder !== nil)
    }

    @Test("a cancelled visit is no failure")
    func cancelled() async throws {
        let recorder = VisitRecorder()
        let source = ScriptedProvider { throw CancellationError() }
        let request = ProductsRequest(explanation: Explanation(recorder: recorder))
        await #expect(throws: CancellationError.self) {
            try await observed(source, "source").products(for: request)
        }
        #expect(recorder.visits.map(\.outcome) == [.cancelled])
        #expect(recorder.visits.map(\.end) == [nil])
    }

    private func explained(_ provider: some ProductsProvider) async throws -> [String] {
        let recorder = VisitRecorder(timedBy: clock)
        _ = try await provider.products(for: ProductsRequest(explanation: Explanation(recorder: recorder)))
        return recorder.visits.map(\.node)
    }
}
