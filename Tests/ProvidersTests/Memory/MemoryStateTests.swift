internal import Concurrency
internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Tracing

@testable internal import Providers

/// The whole table of the freshness model, without tasks.
struct MemoryStateTests {
    private static let policy = FreshnessPolicy(
        ttl: .seconds(30), staleWhileRevalidate: .seconds(60), staleIfError: .seconds(600))
    private static let start = ManualWallClock().now
    private static let refused = ProductsFailure.unreachable(.refused, detail: "test")

    @Test(arguments: [
        (0, "hit"), (30_000, "hit"), (30_001, "stale, refreshing"), (90_000, "stale, refreshing"),
        (90_001, "wait"), (630_000, "wait"), (630_001, "wait"),
    ])
    func `while the upstream works`(milliseconds: Int, decision: String) {
        let state = makeState(confirmed: .zero)
        #expect(decide(state, at: .milliseconds(milliseconds)) == decision)
    }

    @Test(arguments: [
        (30_000, "stale, refreshing"), (30_001, "stale, refreshing"), (90_000, "stale, refreshing"),
        (90_001, "wait"), (630_000, "wait"), (630_001, "wait"),
    ])
    func `while the upstream fails, once the pause is over`(milliseconds: Int, decision: String) {
        var state = makeState(confirmed: .zero)
        _ = state.finish(.failure(Self.refused), wall: Self.start, uptime: .zero)
        #expect(decide(state, at: .milliseconds(milliseconds)) == decision)
    }

    @Test(arguments: [(30_000, "stale, refreshing"), (30_001, "wait")])
    func `a failure is believed for the longest pause, and after that the upstream gets its chance`(
        millisecondsAfterFailure: Int, decision: String
    ) {
        var state = makeState(confirmed: .zero)
        let failed = Duration.seconds(200)
        _ = state.finish(.failure(Self.refused), wall: Self.start.advanced(by: failed), uptime: failed)
        #expect(decide(state, at: failed + .milliseconds(millisecondsAfterFailure)) == decision)
    }

    @Test func `a pause lasts however long it is, and a try that takes long is waited for by nobody`() {
        var policy = Self.policy
        policy.holdOff = .seconds(60)
        let failed = Duration.seconds(200)
        var state = makeState(confirmed: .zero).copied(policy, node: "memory", isDue: false)
        _ = state.finish(.failure(Self.refused), wall: Self.start.advanced(by: failed), uptime: failed)
        #expect(decide(state, at: failed + .seconds(45)) == "stale")
        #expect(decide(state, at: failed + .seconds(60)) == "wait")
        let late = failed + .seconds(60)
        let isServing = state.fallBehind(wall: Self.start.advanced(by: late), uptime: late)
        #expect(isServing)
        #expect(decide(state, at: late) == "stale, refreshing")
    }

    @Test
    func `a refresh that takes long is over with its end, and until then leaves all the time to prepare its catalogue`()
    {
        var state = makeState(confirmed: .zero)
        let (late, wall) = (Duration.seconds(95), Self.start + 95)
        #expect(decide(state, at: late) == "wait")
        let isServing = state.fallBehind(wall: wall, uptime: late)
        #expect(isServing)
        #expect(decide(state, at: late) == "stale")
        let fetched = Result<ProductsAnswer, ProductsFailure>.success(
            ProductsAnswer(snapshot: makeSnapshot("Cup", fetchedAt: wall)))
        #expect(state.replacement(by: fetched, wall: wall, uptime: late)?.slack == CatalogueSignal.timeout)
        _ = state.finish(fetched, wall: wall, uptime: late)
        #expect(decide(state, at: late + .seconds(90)) == "stale, refreshing")
        #expect(decide(state, at: late + .seconds(91)) == "wait")
    }

    @Test func `whatever the windows, what was fetched just now is served to who waited for it`() throws {
        let policy = FreshnessPolicy(ttl: .zero, staleWhileRevalidate: .zero, staleIfError: .zero)
        var state = MemoryState(policy: policy, node: "memory")
        let fetched = Result<ProductsAnswer, ProductsFailure>.success(ProductsAnswer(snapshot: makeSnapshot()))
        _ = state.finish(fetched, wall: Self.start, uptime: .zero)
        let later = Self.start.advanced(by: .milliseconds(1))
        let answer = try state.answerAfterWaiting(fetched, reason: .miss, wall: later, uptime: .milliseconds(1))
        #expect(answer.snapshot.revision == makeSnapshot().revision)
        let stored = Result<ProductsAnswer, ProductsFailure>.success(
            ProductsAnswer(snapshot: makeSnapshot(origin: .store)))
        #expect(throws: ProductsFailure.self) {
            try state.answerAfterWaiting(stored, reason: .miss, wall: later, uptime: .milliseconds(1))
        }
    }

    @Test(arguments: [(30_000, "stale"), (90_001, "stale"), (630_000, "stale"), (630_001, "refuse")])
    func `while the upstream fails, within the pause`(milliseconds: Int, decision: String) {
        var state = makeState(confirmed: .zero)
        let now = Duration.milliseconds(milliseconds)
        _ = state.finish(.failure(Self.refused), wall: Self.start.advanced(by: now), uptime: now)
        #expect(decide(state, at: now) == decision)
    }

    @Test(arguments: [-3600, -86_400 * 365])
    func `a wall clock that was set back does not keep the upstream from being asked`(seconds: Int) {
        let state = makeState(confirmed: .zero)
        #expect(decide(state, at: .seconds(30), wall: .seconds(seconds)) == "hit")
        #expect(decide(state, at: .seconds(31), wall: .seconds(seconds)) == "stale, refreshing")
        #expect(decide(state, at: .seconds(91), wall: .seconds(seconds)) == "wait")
    }

    @Test(arguments: [
        (ProductsOrigin.store, 0.0, "Old"), (.store, 0.0005, "Old"), (.store, -60, "Old"), (.store, 1, "New"),
        (.bundled, 100, "Old"), (.bundled, 631, "New"),
    ])
    func `what a fallback found is taken only where it is better`(origin: ProductsOrigin, seconds: Double, kept: String)
    {
        var state = makeState("Old", confirmed: .zero)
        let found = makeSnapshot("New", fetchedAt: Self.start + seconds, origin: origin)
        let answer = ProductsAnswer(
            snapshot: found, trail: [TrailStep(node: "fallback", outcome: .failed(Self.refused))])
        let now = Duration.seconds(max(0, seconds))
        _ = state.finish(.success(answer), wall: Self.start.advanced(by: now), uptime: now)
        #expect(state.snapshot?.revision == makeCatalogue(kept).revision)
        #expect(state.failure == Self.refused)
    }

    @Test(arguments: [(600.0, "Own"), (631, "Other")])
    func `the own catalogue comes back from a fallback while it may be served, and no pin of others takes its place`(
        seconds: Double, kept: String
    ) {
        let substituted = TrailStep(node: "test", outcome: .substituted(role: "b"))
        let failed = TrailStep(node: "fallback", outcome: .failed(Self.refused))
        let other = ProductsAnswer(
            snapshot: makeSnapshot("Other", fetchedAt: Self.start + seconds), trail: [failed, substituted])
        let own = ProductsAnswer(
            snapshot: makeSnapshot("Own", fetchedAt: Self.start, origin: .store), trail: [failed])
        var state = MemoryState(policy: Self.policy, node: "memory")
        let (wall, uptime) = (Self.start + seconds, Duration.seconds(seconds))
        for answer in [other, own] { _ = state.finish(.success(answer), wall: wall, uptime: uptime) }
        #expect(state.snapshot?.revision == makeCatalogue(kept).revision)

        let pinned = other.adding(TrailStep(node: "disk", outcome: .pinned))
        var warm = makeState("Own", confirmed: .zero)
        _ = warm.finish(.success(pinned), wall: wall, uptime: uptime)
        #expect(warm.snapshot?.revision == makeCatalogue(kept).revision)
    }

    @Test func `an answer from the network replaces one that is newer by a clock that was wrong`() {
        var state = makeState("Old", confirmed: .seconds(86_400))
        _ = state.finish(
            .success(ProductsAnswer(snapshot: makeSnapshot("New", fetchedAt: Self.start))), wall: Self.start,
            uptime: .zero)
        #expect(state.snapshot?.revision == makeCatalogue("New").revision)
    }

    @Test
    func `who waited for a refresh that failed is not served what is too old, whatever another refresh has found`() {
        let state = makeState(confirmed: .zero)
        let late = Duration.seconds(631)
        let failure = #expect(throws: ProductsFailure.self) {
            try state.answerAfterWaiting(
                .failure(Self.refused), reason: .stale, wall: Self.start.advanced(by: late), uptime: late)
        }
        #expect(failure == .unavailable(reason: "refused", since: Self.start, retryAfter: .seconds(1)))
    }

    @Test func `a background refresh is due when freshness ends, at once after a pause, and never without a break`() {
        var state = MemoryState(policy: Self.policy, node: "memory")
        #expect(state.nextRefresh(uptime: .zero) == .zero)
        _ = state.finish(.failure(Self.refused), wall: Self.start, uptime: .zero)
        #expect(state.nextRefresh(uptime: .zero) == .seconds(1))
        #expect(state.nextRefresh(uptime: .seconds(1)) == .zero)
        let old = makeSnapshot(fetchedAt: Self.start - 3600, origin: .store)
        _ = state.finish(.success(ProductsAnswer(snapshot: old)), wall: Self.start, uptime: .seconds(5))
        #expect(state.nextRefresh(uptime: .seconds(5)) == .seconds(30))
        #expect(state.nextRefresh(uptime: .seconds(36)) == .zero)
        #expect(state.copied(Self.policy, node: "memory", isDue: true).nextRefresh(uptime: .seconds(5)) == .zero)
        _ = state.finish(.failure(Self.refused), wall: Self.start, uptime: .seconds(6))
        #expect(state.nextRefresh(uptime: .seconds(6)) == .seconds(1))
        #expect(state.nextRefresh(uptime: .seconds(7)) == .zero)
    }

    @Test func `an answer tells until when it is fresh and until when it may be served`() throws {
        let state = makeState(confirmed: .zero)
        guard case .answer(let answer, _) = state.decide(wall: Self.start, uptime: .zero) else {
            Issue.record("no answer")
            return
        }
        let freshness = try #require(answer.freshness)
        #expect(freshness.verdict == .hit)
        #expect(freshness.freshUntil == Self.start + 30)
        #expect(freshness.servableUntil == Self.start + 630)
        #expect(freshness.staleWhileRevalidate == .seconds(60))
        #expect(freshness.staleIfError == .seconds(600))
        #expect(!freshness.isOffline)
    }

    @Test(arguments: [
        // The source responds, so its answer is served however old it is.
        (100, 0, "hit, age 100"), (100, 31, "stale, refreshing, age 131"), (100, 91, "wait, age 191"),
        (86_400, 0, "hit, age 86400"), (86_400, 90, "stale, refreshing, age 86490"),
    ])
    func `ttl counts from the check, the age from the source, and stale_if_error ends by age`(
        age: Double, later: Int, expected: String
    ) {
        let state = makeState(age: age)
        let now = Duration.seconds(later)
        let shown = state.snapshot?.age(at: Self.start.advanced(by: now)).components.seconds ?? 0
        #expect("\(decide(state, at: now)), age \(shown)" == expected)
    }

    @Test(arguments: [(100.0, 530, "stale"), (100.0, 531, "refuse"), (86_400.0, 90, "stale"), (86_400.0, 91, "refuse")])
    func `while the source fails, its own age counts towards stale_if_error`(age: Double, later: Int, decision: String)
    {
        var state = makeState(age: age)
        let now = Duration.seconds(later)
        _ = state.finish(.failure(Self.refused), wall: Self.start.advanced(by: now), uptime: now)
        #expect(decide(state, at: now) == decision)
    }

    /// A state whose source was a cache, when both clocks showed zero.
    private func makeState(age: Double) -> MemoryState {
        var state = MemoryState(policy: Self.policy, node: "memory")
        let snapshot = ProductsSnapshot(
            catalogue: makeCatalogue(), fetchedAt: Self.start - age, checkedAt: Self.start, origin: .network)
        _ = state.finish(.success(ProductsAnswer(snapshot: snapshot)), wall: Self.start, uptime: .zero)
        return state
    }

    /// A state that took over a snapshot when both clocks showed zero.
    private func makeState(_ name: String = "Mug", confirmed: Duration) -> MemoryState {
        var state = MemoryState(policy: Self.policy, node: "memory")
        let snapshot = makeSnapshot(name, fetchedAt: Self.start.advanced(by: confirmed))
        _ = state.finish(.success(ProductsAnswer(snapshot: snapshot)), wall: Self.start, uptime: .zero)
        return state
    }

    private func decide(_ state: MemoryState, at uptime: Duration, wall: Duration? = nil) -> String {
        switch state.decide(wall: Self.start.advanced(by: wall ?? uptime), uptime: uptime) {
        case .answer(let answer, let refreshing):
            (answer.trail.last.map { "\($0.outcome)" } ?? "") + (refreshing ? ", refreshing" : "")
        case .wait: "wait"
        case .refuse: "refuse"
        }
    }
}
