import Concurrency
import FoundationEssentials
import Products
import ServingTestSupport
import TestSupport
import Testing

@testable import Serving

@Suite struct ReadinessTrackerTests {
    private let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
    private let log = LogRecorder()

    /// A graph, its watched form, and the tracker.
    private func make(
        _ outcome: Result<ProductsAnswer, any Error>
    ) -> (ScriptedProvider, ReadinessReportingProvider, ReadinessTracker) {
        let provider = ScriptedProvider(outcome)
        let tracker = ReadinessTracker(wallClock: WallClock { [clock] in clock.now })
        return (provider, watched(provider, tracker), tracker)
    }

    private func watched(
        _ provider: ScriptedProvider, _ tracker: ReadinessTracker, edition: Int = 1
    ) -> ReadinessReportingProvider {
        ReadinessReportingProvider(upstream: provider, readiness: tracker, edition: edition, logger: log.logger)
    }

    private func summary(_ tracker: ReadinessTracker) -> String {
        switch tracker.verdict {
        case .ready: "ready"
        case .empty(let reason): "empty: \(reason)"
        case .draining: "draining"
        }
    }

    @Test func `answers from a lease make ready, as those of the graph do`() async throws {
        let answer = makeAnswer(try makeCatalogue(), freshness: makeFreshness())
        let publication = CataloguePublication(
            fresh: answer, stale: answer, decide: { _ in .init(isStale: false, isRefreshDue: false) },
            refresh: { _ in false })
        let (provider, watched, tracker) = make(.success(answer.leasing(publication).handingLease()))
        let lease = try #require(try await watched.products(for: ProductsRequest()).lease)
        provider.outcome = .failure(ProductsFailure.notStored)
        for second in 0..<20 {
            await #expect(throws: ProductsFailure.self) { try await watched.products(for: ProductsRequest()) }
            #expect(lease.answer(for: ProductsRequest(), at: clock.now) != nil)
            #expect(summary(tracker) == "ready", "after \(second) s")
            clock.advance(by: .seconds(1))
        }
        for _ in 0..<2 {
            await #expect(throws: ProductsFailure.self) { try await watched.products(for: ProductsRequest()) }
            clock.advance(by: .seconds(10))
        }
        #expect(summary(tracker) == "empty: not-stored")
        #expect(lease.answer(for: ProductsRequest(), at: clock.now) != nil)
        #expect(summary(tracker) == "ready")
    }

    @Test func `the catalogue of one audience is enough, and counts before its first answer`() async throws {
        let shared = Memory(makeAnswer(try makeCatalogue(), freshness: makeFreshness()))
        let gold = Memory(nil)
        let (_, watched, tracker) = make(.success(try shared.leased))
        tracker.follow(1, front: ServableCatalogue([shared, gold]))
        #expect(summary(tracker) == "ready")
        gold.servable = shared.servable
        shared.servable = nil
        #expect(summary(tracker) == "ready")
        gold.servable = nil
        #expect(summary(tracker) == "empty: no answer yet")
        gold.servable = makeAnswer(try makeCatalogue(), freshness: makeFreshness())
        _ = try await watched.products(for: ProductsRequest())
        gold.servable = nil
        #expect(summary(tracker) == "empty: too-old")
    }

    @Test func `the first catalogue makes ready once its listing is prepared`() async throws {
        let memory = Memory(nil)
        let (_, watched, tracker) = make(.success(makeAnswer(try makeCatalogue(), freshness: makeFreshness())))
        tracker.follow(1, front: ServableCatalogue([memory]))
        tracker.awaitListing()
        #expect(summary(tracker) == "empty: no answer yet")
        memory.servable = makeAnswer(try makeCatalogue(), freshness: makeFreshness())
        #expect(summary(tracker) == "empty: encoding")
        let (listings, listing) = AsyncStream.makeStream(of: Void.self)
        let isPreparing = Shared(false)
        let keeping = Task {
            try await watched.keepReady(clock: ManualClock()) { _ in
                isPreparing.withLock { $0 = true }
                for await _ in listings {}
            }
        }
        try await eventually { isPreparing.withLock { $0 } }
        #expect(summary(tracker) == "empty: encoding")
        listing.finish()
        try await eventually { self.summary(tracker) == "ready" }
        keeping.cancel()
        _ = await keeping.result
    }

    @Test func `ten seconds of nothing but failures make unready, an answer makes ready`() async throws {
        let answer = makeAnswer(try makeCatalogue())
        let (provider, watched, tracker) = make(.success(answer))
        _ = try await watched.products(for: ProductsRequest())
        #expect(summary(tracker) == "ready")
        provider.outcome = .failure(ProductsFailure.upstreamStatus(503, retryAfter: nil))
        for second in 0..<10 {
            await #expect(throws: ProductsFailure.self) { try await watched.products(for: ProductsRequest()) }
            #expect(summary(tracker) == "ready", "after \(second) s")
            clock.advance(by: .seconds(1))
        }
        await #expect(throws: ProductsFailure.self) { try await watched.products(for: ProductsRequest()) }
        #expect(summary(tracker) == "empty: status-503")
        provider.outcome = .success(answer)
        _ = try await watched.products(for: ProductsRequest())
        #expect(summary(tracker) == "ready")
    }

    @Test func `while one audience is answered, another's failures change nothing and are logged once`() async throws {
        let answer = makeAnswer(try makeCatalogue())
        let (provider, watched, tracker) = make(.success(answer))
        for _ in 0..<100 {
            provider.outcome = .success(answer)
            _ = try await watched.products(for: ProductsRequest())
            provider.outcome = .failure(ProductsFailure.timedOut(after: nil))
            await #expect(throws: ProductsFailure.self) { try await watched.products(for: ProductsRequest()) }
            #expect(summary(tracker) == "ready")
            clock.advance(by: .seconds(5))
        }
        #expect(log.seen == ["warning: some requests fail, others are answered"])
        clock.advance(by: .seconds(6))
        await #expect(throws: ProductsFailure.self) { try await watched.products(for: ProductsRequest()) }
        #expect(summary(tracker) == "empty: timeout")
        #expect(log.seen.last == "warning: the graph fails, nothing to serve")
    }

    @Test func `a clock set back does not prolong the timeout of failures`() async throws {
        let (provider, watched, tracker) = make(.success(makeAnswer(try makeCatalogue())))
        _ = try await watched.products(for: ProductsRequest())
        provider.outcome = .failure(ProductsFailure.timedOut(after: nil))
        for step in [Duration.zero, .seconds(-3600), .seconds(10)] {
            #expect(summary(tracker) == "ready")
            clock.advance(by: step)
            await #expect(throws: ProductsFailure.self) { try await watched.products(for: ProductsRequest()) }
        }
        #expect(summary(tracker) == "empty: timeout")
    }

    @Test func `a failure is logged once for each reason, unless memory has logged it`() async throws {
        let (provider, watched, tracker) = make(.failure(ProductsFailure.notStored))
        let failures: [ProductsFailure] = [
            .notStored, .notStored, .upstreamStatus(503, retryAfter: nil),
            .unavailable(reason: "timeout", since: nil, retryAfter: .seconds(1)),
        ]
        for failure in failures {
            provider.outcome = .failure(failure)
            await #expect(throws: failure) { try await watched.products(for: ProductsRequest()) }
        }
        let line = "warning: the graph fails, nothing to serve"
        #expect(log.seen == [line, line])
        #expect(
            log.metadata(of: line) == [
                ["error": "nothing has been stored yet"], ["error": "upstream answered 503"],
            ])
        #expect(summary(tracker) == "empty: timeout")
    }

    @Test func `an expired answer counts until its source fails`() async throws {
        let (_, watched, tracker) = make(.success(makeAnswer(try makeCatalogue(), freshness: makeFreshness())))
        _ = try await watched.products(for: ProductsRequest())
        clock.advance(by: .seconds(3600))
        #expect(summary(tracker) == "ready")
    }

    @Test(arguments: [false, true])
    func `with a failing or late source, readiness ends when the answer may no longer be served`(isLate: Bool)
        async throws
    {
        let freshness = makeFreshness(isOffline: !isLate, isLate: isLate)
        let (_, watched, tracker) = make(.success(makeAnswer(try makeCatalogue(), freshness: freshness)))
        _ = try await watched.products(for: ProductsRequest())
        clock.advance(by: .seconds(60))
        #expect(summary(tracker) == "ready")
        clock.advance(by: .seconds(0.5))
        #expect(summary(tracker) == "empty: too-old")
    }

    @Test(arguments: [CancellationError(), ProductsFailure.cancelled] as [any Error])
    func `a cancelled request changes nothing`(error: any Error) async throws {
        let (provider, watched, tracker) = make(.success(makeAnswer(try makeCatalogue())))
        _ = try await watched.products(for: ProductsRequest())
        provider.outcome = .failure(error)
        await #expect(throws: (any Error).self) { try await watched.products(for: ProductsRequest()) }
        #expect(summary(tracker) == "ready")
    }

    @Test func `failing probes are logged once when they begin, with the reason, and once when they end`() async throws
    {
        let tracker = ReadinessTracker(wallClock: WallClock { [clock] in clock.now }, logger: log.logger)
        func probe() {
            for _ in 0..<10 { tracker.recordProbe(tracker.verdict) }
        }
        probe()
        tracker.record(makeAnswer(try makeCatalogue()), of: 1)
        probe()
        tracker.startDraining()
        probe()
        let fail = "notice: readiness probes fail"
        #expect(log.seen == [fail, "notice: readiness probes pass again", fail])
        #expect(log.metadata(of: fail) == [["reason": "no answer yet"], ["reason": "draining"]])
    }

    @Test func `after a reload only the new graph's answers count`() async throws {
        let (provider, old, tracker) = make(.success(makeAnswer(try makeCatalogue())))
        _ = try await old.products(for: ProductsRequest())
        let new = watched(provider, tracker, edition: 2)
        tracker.follow(2, answering: makeAnswer(try makeCatalogue(["Bowl", "Mug"])))
        provider.outcome = .failure(ProductsFailure.notStored)
        await #expect(throws: ProductsFailure.self) { try await old.products(for: ProductsRequest()) }
        #expect(summary(tracker) == "ready")
        guard case .ready(let answer) = tracker.verdict else { return }
        #expect(answer.snapshot.products.count == 2)
        await #expect(throws: ProductsFailure.self) { try await new.products(for: ProductsRequest()) }
        clock.advance(by: .seconds(10))
        await #expect(throws: ProductsFailure.self) { try await new.products(for: ProductsRequest()) }
        #expect(summary(tracker) == "empty: not-stored")
    }
}

/// A provider that keeps an answer, which may be served until it is nil.
private final class Memory: CataloguePublisher {
    private let state: Mutex<ProductsAnswer?>

    init(_ answer: ProductsAnswer?) { state = Mutex(answer) }

    var servable: ProductsAnswer? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// The answer with a lease, as it arrives at the edge.
    var leased: ProductsAnswer {
        get throws {
            let answer = try #require(servable)
            let publication = CataloguePublication(
                fresh: answer, stale: answer, decide: { _ in .init(isStale: false, isRefreshDue: false) },
                refresh: { _ in false })
            return answer.leasing(publication).handingLease()
        }
    }
}
