internal import Analytics
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// In the experiment `banner`, `u3` is of arm a and `u1` of arm b.
@Suite(.timeLimit(.minutes(1)))
struct ABTestProductsProviderStrategyTests {
    private static let outage = ProductsFailure.upstreamStatus(503, retryAfter: nil)

    private let a = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("A")) }
    private let b = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("B")) }
    private let sink = RecordingSink()
    private let wall = ManualWallClock()

    private let experiment = Experiment(name: "banner", header: "X-User", shareOfA: 0.5)

    /// The strategy with its exposures.
    private var strategy: ABTestProductsProviderStrategy { strategy(failover: false) }

    private func strategy(failover: Bool) -> ABTestProductsProviderStrategy {
        ABTestProductsProviderStrategy(
            decision: experiment, a: exposed(a, .a), b: exposed(b, .b), failover: failover)
    }

    private func exposed(_ provider: ScriptedProvider, _ arm: ABTestArm) -> ExposureProductsProviderDecorator {
        ExposureProductsProviderDecorator(
            upstream: provider, arm: arm, of: experiment, sink: sink, wallClock: wall.wallClock)
    }

    @Test(arguments: [("u3", "A", "ab_test: a"), ("u1", "B", "ab_test: b")])
    func `a subject always gets the same arm`(subject: String, name: String, step: String) async throws {
        for _ in 0..<10 {
            let answer = try await strategy.products(for: request(subject))
            #expect(answer.snapshot.revision == makeCatalogue(name).revision)
            #expect(answer.steps == [step])
        }
        #expect(a.calls + b.calls == 10)
    }

    @Test func `a subject is exposed once, with arm, pseudonym and revision, and not by its name`() async throws {
        let strategy = strategy
        for _ in 0..<3 { _ = try await strategy.products(for: request("u1")) }
        #expect(sink.events.count == 1)
        let event = try #require(sink.events.first)
        #expect(event.name == "experiment_exposure")
        #expect(event.timestamp == wall.now)
        #expect(event.parameters["experiment"] == "banner")
        #expect(event.parameters["arm"] == "b")
        #expect(event.parameters["subject"] == "58f874955270c52716653c77c7a75483")
        #expect(event.parameters["revision"]?.string?.count == 8)
        _ = try await strategy.products(for: request("u3"))
        #expect(sink.events.map { $0.parameters["arm"] } == ["b", "a"])
    }

    @Test func `who opted out gets their arm and is not told of; a later request without that wish is`() async throws {
        let strategy = strategy
        var request = request("u1")
        request.analyticsOptOut = true
        #expect(try await strategy.products(for: request).steps == ["ab_test: b"])
        #expect(sink.events.isEmpty)
        request.analyticsOptOut = false
        _ = try await strategy.products(for: request)
        #expect(sink.events.count == 1)
    }

    @Test func `a refresh of a memory above is shown to nobody and exposes nobody`() async throws {
        let strategy = strategy
        let memory = MemoryProductsProviderDecorator(
            upstream: strategy, variations: [experiment.variation], wallClock: wall.wallClock,
            logger: LogRecorder().logger)
        for _ in 0..<2 { _ = try await memory.products(for: request("u1")) }
        #expect(b.calls == 1)
        #expect(sink.events.isEmpty)
        _ = try await strategy.products(for: request("u1"))
        #expect(sink.events.count == 1)
    }

    @Test(arguments: [nil, "", " "] as [String?])
    func `a request without a subject gets the control and exposes nobody`(value: String?) async throws {
        #expect(try await strategy.products(for: request(value)).steps == ["ab_test: a"])
        #expect(sink.events.isEmpty)
    }

    @Test func `a failure of the own arm passes through, and exposes nobody`() async throws {
        b.fails(Self.outage)
        await #expect(throws: Self.outage) { try await strategy.products(for: request("u1")) }
        #expect(a.calls == 0)
        #expect(sink.events.isEmpty)
    }

    @Test
    func `with failover the other arm is shown when the own one fails; the trail says so, and it is no exposure`()
        async throws
    {
        b.fails(Self.outage)
        let strategy = strategy(failover: true)
        let answer = try await strategy.products(for: request("u1"))
        #expect(answer.snapshot.revision == makeCatalogue("A").revision)
        #expect(answer.steps == ["ab_test: status-503", "ab_test: a"])
        #expect(answer.failure == Self.outage)
        #expect(answer.standing == .forOthers)
        #expect(sink.events.isEmpty)
        b.gives(makeSnapshot("B"))
        _ = try await strategy.products(for: request("u1"))
        #expect(sink.events.map { $0.parameters["arm"] } == ["b"])
    }

    @Test func `with failover, when both arms fail, the own arm's failure is the cause`() async throws {
        a.fails(.notStored)
        b.fails(Self.outage)
        let strategy = strategy(failover: true)
        await #expect(throws: Self.outage) { try await strategy.products(for: request("u1")) }
        await #expect(throws: ProductsFailure.notStored) { try await strategy.products(for: request("u3")) }
        #expect(sink.events.isEmpty)
    }

    @Test func `a caller that goes away is no failure of an arm`() async throws {
        b.hold()
        let strategy = strategy(failover: true)
        let caller = Task { try await strategy.products(for: request("u1")) }
        await b.wait(parked: 1)
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(a.calls == 0)
    }

    @Test(arguments: [("b", "b"), (" B ", "b"), ("a", "a"), ("c", "a"), ("", "a"), (nil, "a")])
    func `an outside service decides by a header; without a word of it the control is shown`(
        value: String?, arm: String
    ) async throws {
        let decision = HeaderABTestDecision(experiment: "banner", header: "X-Arm")
        let strategy = ABTestProductsProviderStrategy(decision: decision, a: a, b: b)
        let request = ProductsRequest(headers: value.map { ["x-arm": $0] } ?? [:])
        #expect(try await strategy.products(for: request).steps == ["ab_test: \(arm)"])
        #expect(decision.variation.header == "x-arm")
        #expect(decision.variation.variant(value) == arm)
    }

    private func request(_ subject: String?) -> ProductsRequest {
        ProductsRequest(headers: subject.map { ["x-user": $0] } ?? [:])
    }
}
