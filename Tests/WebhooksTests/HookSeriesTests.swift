import Hashing
import Products
import ServingTestSupport
import TestSupport
import Testing

@testable import Webhooks

/// Refreshes with what a test says, at times that it holds.
@Suite(.timeLimit(.minutes(1)))
struct HookSeriesTests {
    private struct State {
        var looks = 0
        var kept: Catalogue?
        /// The catalogue of the shop's API.
        var offered: Catalogue?
        var ends: [Int] = []
        var outcomes: [String] = []
        /// Whether the shop's API fails from now on, or refuses.
        var failure: ProductsFailure?
    }

    private let clock = ManualClock()
    private let shop: Observed<State>
    private let series: HookSeries
    private let gate = Observed(true)

    init() throws {
        let first = try makeCatalogue(["Old"])
        let shop = Observed(State(kept: first, offered: first))
        self.shop = shop
        series = HookSeries(pauses: [.seconds(2), .seconds(10), .seconds(60)], clock: clock) { [gate] in
            let before = shop.update { state in
                state.looks += 1
                return state.kept
            }
            await gate.wait { $0 }
            return shop.update { state in
                if let failure = state.failure {
                    return [RefreshResult(.failed, failure: failure, before: before, after: before)]
                }
                state.kept = state.offered
                let outcome = before === state.kept ? RefreshResult.Outcome.unchanged : .fetched
                return [RefreshResult(outcome, before: before, after: state.kept)]
            }
        } report: { looks, end in
            shop.update { state in
                state.ends.append(looks)
                switch end {
                case .changed: state.outcomes.append("changed")
                case .unchanged: state.outcomes.append("unchanged")
                case .failed(let failure): state.outcomes.append("failed: \(failure.token)")
                }
            }
        }
    }

    private func run(_ body: () async throws -> Void) async throws {
        let running = Task { try? await series.run() }
        try await body()
        running.cancel()
        await running.value
    }

    private func commit(_ name: String) throws {
        let catalogue = try makeCatalogue([name])
        shop.update { $0.offered = catalogue }
    }

    private func pass(_ pause: Duration) async {
        await clock.waitForSleepers()
        clock.advance(by: pause)
    }

    private func waitForEnds(_ count: Int) async { await shop.wait { $0.ends.count >= count } }

    @Test func `a change that is there at once ends the series`() async throws {
        try await run {
            try commit("New")
            series.begin()
            await waitForEnds(1)
            #expect(shop.value.looks == 1 && shop.value.ends == [1])
            #expect(clock.sleepers == 0)
        }
    }

    @Test func `a commit after the hook is seen at the next look`() async throws {
        try await run {
            series.begin()
            await pass(.seconds(2))
            await clock.waitForSleepers()
            try commit("New")
            await pass(.seconds(10))
            await waitForEnds(1)
            #expect(shop.value.looks == 3 && shop.value.ends == [3])
        }
    }

    @Test func `without a change it gives up after the last pause`() async throws {
        try await run {
            series.begin()
            for pause in [2, 10, 60] { await pass(.seconds(pause)) }
            await waitForEnds(1)
            #expect(shop.value.looks == 4 && shop.value.ends == [4])
            #expect(clock.sleepers == 0)
        }
    }

    @Test func `a series whose last look fails goes on after its last pause, and sees the change`() async throws {
        try await run {
            shop.update { $0.failure = .upstreamStatus(503, retryAfter: nil) }
            series.begin()
            for pause in [2, 10, 60] { await pass(.seconds(pause)) }
            await clock.waitForSleepers()
            try commit("New")
            shop.update { $0.failure = nil }
            await pass(.seconds(60))
            await waitForEnds(1)
            #expect(shop.value.looks == 5 && shop.value.outcomes == ["changed"])
        }
    }

    @Test func `looks that all fail end after as many further ones as there are pauses, and the failure is told`()
        async throws
    {
        try await run {
            shop.update { $0.failure = .upstreamStatus(503, retryAfter: nil) }
            series.begin()
            for pause in [2, 10, 60, 60, 60, 60] { await pass(.seconds(pause)) }
            await waitForEnds(1)
            #expect(shop.value.looks == 7 && shop.value.outcomes == ["failed: status-503"])
            #expect(clock.sleepers == 0)
        }
    }

    @Test func `a failed look before a good one is none at which nothing changed`() async throws {
        try await run {
            series.begin()
            shop.update { $0.failure = .upstreamStatus(503, retryAfter: nil) }
            await pass(.seconds(2))
            await clock.waitForSleepers()
            shop.update { $0.failure = nil }
            for pause in [10, 60] { await pass(.seconds(pause)) }
            await waitForEnds(1)
            #expect(shop.value.looks == 4 && shop.value.outcomes == ["unchanged"])
        }
    }

    @Test func `a look at which a catalogue is refused has seen it`() async throws {
        try await run {
            shop.update { $0.failure = .refused(.empty(count: 0, minimum: 1)) }
            series.begin()
            for pause in [2, 10, 60] { await pass(.seconds(pause)) }
            await waitForEnds(1)
            #expect(shop.value.looks == 4 && shop.value.outcomes == ["failed: empty"])
        }
    }

    @Test func `ten thousand hooks during a series cause no other look`() async throws {
        try await run {
            for _ in 0..<10_000 { series.begin() }
            await clock.waitForSleepers()
            for pause in [2, 10, 60] { await pass(.seconds(pause)) }
            await waitForEnds(1)
            #expect(shop.value.looks == 4)
        }
    }

    @Test func `ten thousand hooks around a change at once cause as many looks as a series has`() async throws {
        try await run {
            try commit("New")
            gate.update { $0 = false }
            series.begin()
            await shop.wait { $0.looks == 1 }
            for _ in 0..<10_000 { series.begin() }
            gate.update { $0 = true }
            await waitForEnds(1)
            for _ in 0..<10_000 { series.begin() }
            for pause in [2, 10, 60] { await pass(.seconds(pause)) }
            await waitForEnds(2)
            #expect(shop.value.looks == 4 && shop.value.ends == [1, 3])
        }
    }

    @Test func `a hook after the last look begins one more series, which waits first`() async throws {
        try await run {
            series.begin()
            for pause in [2, 10] { await pass(.seconds(pause)) }
            await clock.waitForSleepers()
            gate.update { $0 = false }
            clock.advance(by: .seconds(60))
            await shop.wait { $0.looks == 4 }
            series.begin()
            series.begin()
            gate.update { $0 = true }
            await waitForEnds(1)
            await clock.waitForSleepers()
            try commit("New")
            await pass(.seconds(2))
            await waitForEnds(2)
            #expect(shop.value.looks == 5 && shop.value.ends == [4, 1])
        }
    }

    @Test func `a hook just before the look that finds another one's change is followed by more looks`() async throws {
        try await run {
            series.begin()
            await clock.waitForSleepers()
            try commit("New")
            series.begin()
            await pass(.seconds(2))
            await waitForEnds(1)
            #expect(shop.value.ends == [2])
            await clock.waitForSleepers()
            try commit("Newer")
            await pass(.seconds(10))
            await waitForEnds(2)
            #expect(shop.value.looks == 3 && shop.value.ends == [2, 1])
            #expect(clock.sleepers == 0)
        }
    }

    @Test func `a first catalogue does not end the series`() async throws {
        shop.update { $0.kept = nil }
        try await run {
            series.begin()
            await clock.waitForSleepers()
            try commit("New")
            await pass(.seconds(2))
            await waitForEnds(1)
            #expect(shop.value.looks == 2 && shop.value.ends == [2])
        }
    }

    @Test func `a refresh that hangs does not keep the series from being cancelled`() async throws {
        gate.update { $0 = false }
        let running = Task { try await series.run() }
        series.begin()
        await shop.wait { $0.looks == 1 }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        gate.update { $0 = true }
    }

    @Test func `deliveries are known for the window, the newest only where there are too many`() {
        let memory = ReplayMemory(capacity: 2, clock: clock)
        let ids = ["a", "b", "c"].map { SHA256Digest(of: $0.utf8) }
        let window = Duration.seconds(300)
        #expect(memory.remember(ids[0], for: window))
        #expect(!memory.remember(ids[0], for: window))
        clock.advance(by: .seconds(299))
        #expect(!memory.remember(ids[0], for: window))
        clock.advance(by: .seconds(1))
        #expect(memory.remember(ids[0], for: window))
        #expect(memory.remember(ids[1], for: window))
        #expect(memory.remember(ids[2], for: window))
        #expect(!memory.remember(ids[1], for: window))
        #expect(memory.remember(ids[0], for: window))
    }
}
