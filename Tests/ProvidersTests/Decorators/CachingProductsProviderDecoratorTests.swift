internal import FoundationEssentials
internal import Health
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

struct CachingProductsProviderDecoratorTests {
    private let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
    private let store = ScriptedProvider()

    private var provider: CachingProductsProviderDecorator {
        CachingProductsProviderDecorator(upstream: upstream, saver: store)
    }

    @Test func `every success is saved, and the store is not read`() async throws {
        let provider = provider
        #expect(try await provider.ask().steps == ["caching: saving"])
        upstream.gives(makeSnapshot("Cup"))
        _ = try await provider.ask()
        #expect(store.saved.map(\.revision) == [makeCatalogue().revision, makeCatalogue("Cup").revision])
        #expect(store.calls == 0)
    }

    @Test func `a failure of the upstream passes through and saves nothing`() async throws {
        upstream.fails(.refused(.empty(count: 0, minimum: 1)))
        #expect(try await provider.failure() == .refused(.empty(count: 0, minimum: 1)))
        #expect(store.saved.isEmpty)
    }

    @Test func `a failing save does not fail the answer`() async throws {
        let provider = CachingProductsProviderDecorator(upstream: upstream, saver: FullDisk())
        #expect(try await provider.ask().snapshot.revision == makeCatalogue().revision)
    }

    @Test(
        arguments: [
            (.failed(.timedOut(after: nil)), "below: timeout"), (.unchecked, "below: unchecked"),
        ] as [(TrailOutcome, String)])
    func
        `a substitute for a failure does not replace what is stored, nor does a catalogue that nothing was compared with`(
            outcome: TrailOutcome, step: String
        ) async throws
    {
        upstream.does {
            ProductsAnswer(snapshot: makeSnapshot(), trail: [TrailStep(node: "below", outcome: outcome)])
        }
        #expect(try await provider.ask().steps == [step, "caching: skipped"])
        #expect(store.saved.isEmpty)
    }
}

struct CachingAboveAPinTests {
    private let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("new")) }
    private let store = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("new", origin: .store)) }

    private var provider: CachingProductsProviderDecorator {
        CachingProductsProviderDecorator(upstream: upstream, saver: store, pins: store)
    }

    private func pinBelow(_ name: String) {
        upstream.does {
            ProductsAnswer(
                snapshot: makeSnapshot(name, origin: .store), trail: [TrailStep(node: "shared", outcome: .pinned)])
        }
    }

    @Test
    func `what is pinned below is saved once, so that a restart serves it and not what was current before`()
        async throws
    {
        let provider = provider
        _ = try await provider.ask()
        pinBelow("old")
        #expect(try await provider.ask().steps == ["shared: pinned", "caching: saving"])
        for _ in 0..<3 { #expect(try await provider.ask().steps == ["shared: pinned", "caching: skipped"]) }
        #expect(store.saved.map(\.revision) == [makeCatalogue("new").revision, makeCatalogue("old").revision])
        #expect(store.calls == 0)
    }

    @Test func `after a restart it is compared with what the store has, and not saved again`() async throws {
        let provider = provider
        pinBelow("new")
        for _ in 0..<3 { #expect(try await provider.ask().steps == ["shared: pinned", "caching: skipped"]) }
        #expect(store.saved.isEmpty && store.calls == 1)
        pinBelow("old")
        _ = try await provider.ask()
        #expect(store.saved.map(\.revision) == [makeCatalogue("old").revision])
    }

    @Test func `an empty store gets it, and once the pin is off the source's catalogue is saved again`() async throws {
        let provider = provider
        store.fails(.notStored)
        pinBelow("old")
        _ = try await provider.ask()
        upstream.gives(makeSnapshot("new"))
        #expect(try await provider.ask().steps == ["caching: saving"])
        #expect(store.saved.map(\.revision) == [makeCatalogue("old").revision, makeCatalogue("new").revision])
    }
}

@Suite(.timeLimit(.minutes(1)))
struct CachingUnderAPinTests {
    private let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("new")) }
    private let store = ScriptedProvider()
    private let log = LogRecorder()
    private let pinned = makeSnapshot("pinned", origin: .store)
    private let provider: CachingProductsProviderDecorator

    init() {
        provider = CachingProductsProviderDecorator(
            upstream: upstream, saver: store, pins: store, logger: log.logger)
        store.pins(pinned)
    }

    private func expectPinned(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let answer = try await provider.ask()
        #expect(answer.steps == ["store: pinned", "caching: pinned"], sourceLocation: sourceLocation)
        #expect(answer.isPinned && answer.snapshot.revision == pinned.revision, sourceLocation: sourceLocation)
    }

    @Test
    func `the pinned catalogue is given at once, and the upstream is asked behind it, once at a time`() async throws {
        upstream.hold()
        for _ in 0..<50 { try await expectPinned() }
        await upstream.wait(parked: 1)
        #expect(upstream.calls == 1)
        upstream.release()
        await store.wait(saved: 1)
        #expect(store.saved.map(\.revision) == [makeCatalogue("new").revision])
        try await eventually {
            try await expectPinned()
            return upstream.calls >= 2
        }
    }

    @Test
    func `the upstream is asked for the variant of the request, as long as it takes, and for nobody in particular`()
        async throws
    {
        let request = ProductsRequest(headers: ["x-tier": "gold"], deadline: .now + .seconds(30))
        _ = try await RefreshOrder.$current.withValue(RefreshOrder(isForced: true)) {
            try await provider.products(for: request)
        }
        await store.wait(saved: 1)
        #expect(upstream.requests.map(\.headers) == [["x-tier": "gold"]])
        #expect(upstream.requests.map(\.deadline) == [nil])
    }

    @Test func `an upstream that fails is a trouble and a line of the log, once, and is asked again`() async throws {
        upstream.fails(.timedOut(after: nil))
        try await expectPinned()
        await log.wait(lines: 1)
        #expect(provider.troubles.map(\.kind) == [.upstream])
        #expect(provider.troubles.first?.cause == "no answer in time")
        try await eventually {
            try await expectPinned()
            return upstream.calls >= 3
        }
        #expect(log.seen == ["warning: refresh behind the pin failed"])
        upstream.gives(makeSnapshot("late"))
        try await eventually {
            try await expectPinned()
            return store.saved.map(\.revision).contains(makeCatalogue("late").revision)
        }
        #expect(log.seen.last == "notice: refreshes behind the pin succeed again")
        #expect(provider.troubles.isEmpty)
    }

    private func isWaiting(revalidates: Bool = false) -> ProductsRequest {
        var request = ProductsRequest(revalidates: revalidates)
        request.waitsBehindPin = true
        return request
    }

    @Test func `a failure that comes once the pin is off is no trouble, and one of before ends with the pin`()
        async throws
    {
        upstream.fails(.timedOut(after: nil))
        _ = try await provider.products(for: isWaiting())
        #expect(provider.troubles.map(\.kind) == [.upstream])
        upstream.hold()
        // It waits for the ask behind the pin, and then asks itself.
        let waiting = Task { [provider, request = isWaiting()] in try await provider.products(for: request) }
        await upstream.wait(parked: 1)
        store.pins(nil)
        let answer = Task { [provider] in try await provider.ask() }
        await upstream.wait(parked: 2)
        #expect(provider.troubles.isEmpty)
        #expect(log.seen.last == "notice: the pin behind which refreshes failed was taken off")
        upstream.release()
        for task in [waiting, answer] { await #expect(throws: ProductsFailure.self) { try await task.value } }
        #expect(provider.troubles.isEmpty && log.count(of: "warning: refresh behind the pin failed") == 1)
    }

    @Test func `a forced refresh that joins an ask which nobody forced is followed by one of its own`() async throws {
        upstream.hold()
        try await expectPinned()
        await upstream.wait(parked: 1)
        let forced = Task { [provider, request = isWaiting(revalidates: true)] in
            try await RefreshOrder.$current.withValue(RefreshOrder(isForced: true)) {
                try await provider.products(for: request)
            }
        }
        upstream.release()
        #expect(try await forced.value.isPinned)
        #expect(upstream.requests.map(\.revalidates) == [false, true])
    }

    @Test func `a source that calls its answers stale behind the pin is a trouble until it does not`() async throws {
        let confirmed = ManualWallClock().now - 300
        upstream.gives(
            ProductsSnapshot(
                catalogue: makeCatalogue("old"), fetchedAt: confirmed, origin: .network, source: SourceStatement(.stale)
            ))
        _ = try await provider.products(for: isWaiting())
        #expect(provider.troubles.map(\.kind) == [.source] && provider.troubles.map(\.since) == [confirmed])
        upstream.gives(makeSnapshot("new"))
        _ = try await provider.products(for: isWaiting())
        #expect(provider.troubles.isEmpty)
    }

    @Test
    func `who serves it already waits for the upstream behind it, and gets its failure with the pinned catalogue`()
        async throws
    {
        upstream.fails(.malformed(detail: "HTML"))
        var request = ProductsRequest()
        request.waitsBehindPin = true
        let answer = try await provider.products(for: request)
        #expect(answer.isPinned && answer.failure == nil && answer.hiddenFailure == .malformed(detail: "HTML"))
        #expect(answer.snapshot.revision == pinned.revision)
        store.pins(nil)
        upstream.gives(makeSnapshot("new"))
        #expect(try await provider.products(for: request).snapshot.revision == makeCatalogue("new").revision)
    }

    @Test(arguments: [.failed(.timedOut(after: nil)), .unchecked, .pinned] as [TrailOutcome])
    func `what may not become the newest is not saved behind the answer either`(outcome: TrailOutcome) async throws {
        upstream.does {
            ProductsAnswer(snapshot: makeSnapshot("bad"), trail: [TrailStep(node: "below", outcome: outcome)])
        }
        try await expectPinned()
        await upstream.wait(calls: 1)
        upstream.gives(makeSnapshot("good"))
        try await eventually {
            try await expectPinned()
            return !store.saved.isEmpty
        }
        #expect(Set(store.saved.map(\.revision)) == [makeCatalogue("good").revision])
    }

    @Test func `once the pin is taken off, the upstream's catalogue is given`() async throws {
        store.pins(nil)
        #expect(try await provider.ask().steps == ["caching: saving"])
        #expect(store.saved.count == 1)
    }

    @Test func `what is pinned while the upstream is asked is what that request gets`() async throws {
        store.pins(nil)
        upstream.hold()
        let asking = Task { try await provider.ask() }
        await upstream.wait(parked: 1)
        store.pins(pinned)
        upstream.release()
        #expect(try await asking.value.snapshot.revision == pinned.revision)
        #expect(store.saved.map(\.revision) == [makeCatalogue("new").revision])
    }

    @Test func `a lease from before the pin is of no use while it is on, and a pinned answer has none`() async throws {
        store.pins(nil)
        upstream.publishes()
        let observed = observed(provider, "top")
        let lease = try #require(try await observed.ask().lease)
        #expect(lease.answer(for: ProductsRequest(), at: ManualWallClock().now) != nil)
        store.pins(pinned)
        #expect(lease.answer(for: ProductsRequest(), at: ManualWallClock().now) == nil)
        #expect(try await observed.ask().lease == nil)
    }
}

private struct FullDisk: ProductsSaver {
    func save(_ snapshot: ProductsSnapshot) async throws {
        throw ProductsFailure.storeFailed(detail: "no space left on device")
    }
}
