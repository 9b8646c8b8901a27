internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// A memory above an `ab_test`, which shows the other arm's catalogue when the own arm fails.
///
/// In the experiment `banner`, `u3` is of arm a and `u1` of arm b. Arm a has ten times the products of arm b, so that
/// neither would pass for the other.
@Suite(.timeLimit(.minutes(1)))
struct MemoryArmsTests {
    private let a = ScriptedProvider()
    private let b = ScriptedProvider()
    private let wall = ManualWallClock()
    private let clock = ManualClock()
    private let log = LogRecorder()
    private let memory: MemoryProductsProviderDecorator

    init() {
        let experiment = Experiment(name: "banner", header: "x-user", shareOfA: 0.5)
        let arms = ABTestProductsProviderStrategy(
            decision: experiment, a: ValidatedProductsProviderDecorator(upstream: a),
            b: ValidatedProductsProviderDecorator(upstream: b), failover: true)
        memory = MemoryProductsProviderDecorator(
            upstream: arms, policy: MemoryFixture.policy,
            variations: [experiment.variation], wallClock: wall.wallClock, clock: clock, logger: log.logger)
        a.works(makeCatalogue("A", count: 100), wall)
        b.works(makeCatalogue("B", count: 10), wall)
    }

    @Test
    func `while the own arm's catalogue may be served, the other one's does not take its place, however new it is`()
        async throws
    {
        for subject in ["u1", "u3"] { _ = try await told(subject) }
        b.fails(MemoryFixture.refused)
        pass(.seconds(100))
        #expect(try await told("u3") == "A stale")
        #expect(try await told("u1") == "B stale")
        b.works(makeCatalogue("NewB", count: 9), wall)
        pass(.seconds(100))
        #expect(try await told("u1") == "NewB stale")
        #expect(try await told("u1") == "NewB hit")
    }

    @Test
    func `the other arm's is shown when the own one is too old, and the own arm comes back when it works`() async throws
    {
        _ = try await told("u1")
        b.fails(MemoryFixture.refused)
        pass(.seconds(700))
        #expect(try await told("u1") == "A stale")
        b.works(makeCatalogue("NewB", count: 9), wall)
        pass(.seconds(1))
        #expect(try await told("u1") == "A stale")
        await b.wait(calls: 3)
        await log.wait(lines: 3)
        #expect(try await told("u1") == "NewB hit")
        #expect(b.calls == 3)
        #expect(log.seen.last == "notice: upstream recovered")
    }

    @Test
    func `the other arm's is shown when there has never been one of the own arm, and is no measure for it`()
        async throws
    {
        b.fails(MemoryFixture.refused)
        #expect(try await told("u1") == "A miss")
        b.works(makeCatalogue("B", count: 10), wall)
        pass(.seconds(1))
        #expect(try await told("u1") == "A stale")
        await log.wait(lines: 2)
        #expect(try await told("u1") == "B hit")
    }

    @Test func `a newer one of the other arm takes the place of an older one`() async throws {
        b.fails(MemoryFixture.refused)
        _ = try await told("u1")
        a.works(makeCatalogue("NewA", count: 100), wall)
        pass(.seconds(100))
        #expect(try await told("u1") == "NewA stale")
    }

    private func pass(_ duration: Duration) {
        clock.advance(by: duration)
        wall.advance(by: duration)
    }

    /// The catalogue that a subject is shown, and how: `A hit`.
    private func told(_ subject: String) async throws -> String {
        try await memory.products(for: ProductsRequest(headers: ["x-user": subject])).told
    }
}
