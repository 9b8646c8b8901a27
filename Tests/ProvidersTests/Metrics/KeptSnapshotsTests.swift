internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite("What a memory keeps, and how a breaker stands", .timeLimit(.minutes(1)))
struct KeptSnapshotsTests {
    @Test("Nothing before the first answer, then the catalogue, which at its end may not be served")
    func memory() async throws {
        let fixture = MemoryFixture()
        #expect(fixture.kept.isEmpty)
        try await fixture.warm()
        #expect(fixture.kept.map(\.isServable) == [true])
        #expect(fixture.kept.map(\.snapshot.revision) == [makeCatalogue().revision])
        fixture.pass(.seconds(630))
        #expect(fixture.kept.map(\.isServable) == [true])
        fixture.pass(.seconds(1))
        #expect(fixture.kept.map(\.isServable) == [false])
    }

    @Test("A breaker is closed, open, and then for as long as one tries half-open")
    func breaker() async throws {
        let (upstream, clock) = (ScriptedProvider(), ManualClock())
        let breaker = CircuitBreakerProductsProviderDecorator(
            upstream: upstream, policy: CircuitBreakerPolicy(failures: 1), clock: clock, logger: LogRecorder().logger)
        #expect(breaker.report.breaker == .closed)
        upstream.fails(.timedOut(after: nil))
        _ = try await breaker.failure()
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
}
