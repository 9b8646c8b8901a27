internal import Health
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct CircuitBreakerProductsProviderDecoratorTests {
    private static let failure = ProductsFailure.unreachable(.refused, detail: "test")
    private let upstream = ScriptedProvider()
    private let clock = ManualClock()
    private let log = LogRecorder()

    @Test func `open it fails at once, without asking, and says when it will ask`() async throws {
        let breaker = try await opened()
        #expect(try await breaker.failure() == .circuitOpen(retryAfter: .seconds(10)))
        clock.advance(by: .milliseconds(9_999))
        #expect(try await breaker.failure() == .circuitOpen(retryAfter: .milliseconds(1)))
        #expect(upstream.calls == 5)
        #expect(try await breaker.failure()?.token == "circuit-open")
    }

    @Test func `one line marks each transition`() async throws {
        let breaker = try await opened()
        for _ in 0..<3 { _ = try await breaker.failure() }
        clock.advance(by: .seconds(10))
        for _ in 0..<3 { _ = try await breaker.failure() }
        upstream.gives(makeSnapshot())
        clock.advance(by: .seconds(20))
        for _ in 0..<3 { _ = try await breaker.ask() }
        let open = "warning: circuit breaker open, not asking the upstream"
        let halfOpen = "notice: circuit breaker half-open, probing with one request"
        #expect(log.seen == [open, halfOpen, open, halfOpen, "notice: circuit breaker closed"])
        #expect(log.seenLines.allSatisfy { $0.metadata["provider"] == "circuit_breaker" })
        #expect(log.seenLines[0].metadata["reason"] == "refused")
        #expect(log.seenLines[0].metadata["error"] == "\(Self.failure)")
        #expect(log.seenLines.compactMap { $0.metadata["open_for"] } == ["10s", "20s"])
    }

    @Test func `of many callers at the end of the pause one asks, and the others are refused`() async throws {
        let breaker = try await opened()
        clock.advance(by: .seconds(10))
        upstream.gives(makeSnapshot())
        upstream.hold()
        let probe = Task { try await breaker.failure() }
        await upstream.wait(parked: 1)
        let refused = try await withThrowingTaskGroup(of: ProductsFailure?.self) { group in
            for _ in 0..<100 { group.addTask { try await breaker.failure() } }
            return try await group.reduce(into: 0) { $0 += $1 == .circuitOpen(retryAfter: .seconds(5)) ? 1 : 0 }
        }
        #expect(refused == 100)
        #expect(upstream.calls == 6)
        upstream.release()
        #expect(try await probe.value == nil)
        #expect(try await breaker.failure() == nil)
        #expect(breaker.shown.hasPrefix("state closed"))
    }

    @Test func `an open breaker is a trouble with the failure that opened it, until it closes`() async throws {
        let breaker = try await opened()
        let trouble = try #require(breaker.troubles.first)
        #expect(trouble.kind == .breaker && trouble.cause == "open: \(Self.failure)")
        clock.advance(by: .seconds(10))
        _ = try await breaker.failure()
        #expect(breaker.troubles == [trouble])
        clock.advance(by: .seconds(20))
        upstream.gives(makeSnapshot())
        _ = try await breaker.ask()
        #expect(breaker.troubles.isEmpty)
    }

    @Test func `of many callers that come at the same moment one is through`() async throws {
        for _ in 0..<50 {
            let upstream = ScriptedProvider()
            let breaker = CircuitBreakerProductsProviderDecorator(
                upstream: upstream, policy: CircuitBreakerPolicy(failures: 1), clock: clock, logger: log.logger)
            upstream.fails(Self.failure)
            _ = try await breaker.failure()
            clock.advance(by: .seconds(10))
            let failures = try await withThrowingTaskGroup(of: ProductsFailure?.self) { group in
                for _ in 0..<100 { group.addTask { try await breaker.failure() } }
                return try await group.reduce(into: [String: Int]()) { $0[$1?.token ?? "none", default: 0] += 1 }
            }
            #expect(failures == ["refused": 1, "circuit-open": 99])
            #expect(upstream.calls == 2)
        }
    }

    @Test func `a probe whose caller goes away leaves its place to the next one`() async throws {
        let breaker = try await opened()
        clock.advance(by: .seconds(10))
        upstream.hold()
        let probe = Task { try await breaker.ask() }
        await upstream.wait(parked: 1)
        probe.cancel()
        await #expect(throws: CancellationError.self) { try await probe.value }
        await upstream.wait(cancellations: 1)
        #expect(breaker.shown.hasPrefix("state half-open"))
        upstream.release()
        upstream.gives(makeSnapshot())
        #expect(try await breaker.failure() == nil)
        #expect(breaker.shown.hasPrefix("state closed"))
    }

    @Test func `a probe has a deadline of its own; at its end it has failed, and the pause doubles`() async throws {
        let breaker = try await opened()
        clock.advance(by: .seconds(10))
        upstream.hold()
        let probe = Task { try await breaker.failure() }
        await upstream.wait(parked: 1)
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(4_999))
        #expect(clock.sleepers == 1)
        #expect(try await breaker.failure() == .circuitOpen(retryAfter: .milliseconds(1)))
        clock.advance(by: .milliseconds(1))
        #expect(try await probe.value == .timedOut(after: .seconds(5)))
        #expect(try await breaker.failure() == .circuitOpen(retryAfter: .seconds(20)))
        await upstream.wait(cancellations: 1)
    }

    @Test func `an answer that a fallback below found is an answer`() async throws {
        upstream.does {
            ProductsAnswer(
                snapshot: makeSnapshot(), trail: [TrailStep(node: "fallback", outcome: .failed(Self.failure))])
        }
        let breaker = breaker()
        for _ in 0..<20 { #expect(try await breaker.ask().failure == Self.failure) }
        #expect(breaker.shown == "state closed, failures_in_a_row 0, calls 20, failures 0, open_for 0s")
    }

    @Test func `its state can be read at any time`() async throws {
        let breaker = try await opened()
        #expect(breaker.shown == "state open, failures_in_a_row 5, calls 5, failures 5, open_for 10s")
        clock.advance(by: .milliseconds(7_500))
        #expect(breaker.shown == "state open, failures_in_a_row 5, calls 5, failures 5, open_for 2s500ms")
        clock.advance(by: .milliseconds(22_500))
        #expect(breaker.shown == "state open, failures_in_a_row 5, calls 0, failures 0, open_for 0s")
    }

    @Test func `its report is closed, open, and half-open while a probe runs`() async throws {
        let breaker = try await opened()
        #expect(breaker.report.breaker == .open)
        clock.advance(by: .seconds(10))
        upstream.hold()
        let probe = Task { try await breaker.failure() }
        await upstream.wait(parked: 1)
        #expect(breaker.report.breaker == .halfOpen)
        upstream.release()
        _ = try await probe.value
        #expect(breaker.report.breaker == .open)
    }

    private func breaker() -> CircuitBreakerProductsProviderDecorator {
        CircuitBreakerProductsProviderDecorator(upstream: upstream, clock: clock, logger: log.logger)
    }

    private func opened() async throws -> CircuitBreakerProductsProviderDecorator {
        let breaker = breaker()
        upstream.fails(Self.failure)
        for _ in 0..<5 { #expect(try await breaker.failure() == Self.failure) }
        return breaker
    }
}
