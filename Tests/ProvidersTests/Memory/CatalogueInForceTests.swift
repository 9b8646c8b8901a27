internal import Concurrency
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct CatalogueInForceTests {
    private let signal = CatalogueSignal()

    private var answer: ProductsAnswer {
        ProductsAnswer(
            snapshot: ProductsSnapshot(
                catalogue: makeCatalogue("Mug"), fetchedAt: ManualWallClock().now, origin: .network))
    }

    private func publication() -> CataloguePublication {
        CataloguePublication(
            fresh: answer, stale: answer, decide: { _ in .init(isStale: false, isRefreshDue: false) },
            refresh: { _ in false })
    }

    @Test func `publications that many threads change are each withdrawn and released once, outside the lock`() async {
        let catalogue = CatalogueInForce(
            memory: MemoryState(policy: FreshnessPolicy(), node: "memory"), signal: signal)
        let (made, released) = (Observed(0), Observed(0))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        let publication = publication()
                        publication.whenReleased {
                            // It would deadlock under the lock of the catalogue.
                            _ = catalogue.withLock { $0.publication == nil }
                            released.update { $0 += 1 }
                        }
                        let isOwn = catalogue.withLock { state in
                            if state.publication == nil { state.publish(publication) }
                            return state.publication === publication
                        }
                        if isOwn { made.update { $0 += 1 } }
                        catalogue.withLock { $0.expectChange() }
                        #expect(!isOwn || !publication.isCurrent)
                    }
                }
            }
        }
        #expect(made.value == released.value)
        #expect(made.value > 0)
        #expect(catalogue.withLock { $0.publication == nil })
    }

    @Test(.timeLimit(.minutes(1))) func `a change is signalled and withdraws the publication even if the body throws`()
        async throws
    {
        let catalogue = CatalogueInForce(
            memory: MemoryState(policy: FreshnessPolicy(), node: "memory"), signal: signal)
        let (publication, heard, released) = (publication(), Observed(0), Observed(0))
        publication.whenReleased { released.update { $0 += 1 } }
        let listener = Task { [stream = signal.changes] in for await _ in stream { heard.update { $0 += 1 } } }
        defer { listener.cancel() }
        #expect(throws: CancellationError.self) {
            try catalogue.withLock { state in
                state.publish(publication)
                state.expectChange()
                throw CancellationError()
            }
        }
        #expect(released.value == 1)
        await heard.wait { $0 == 1 }
    }

    @Test func `each change is signalled, and a look at the state is not`() async {
        let catalogue = CatalogueInForce(
            memory: MemoryState(policy: FreshnessPolicy(), node: "memory"), signal: signal)
        let heard = Observed(0)
        let listener = Task { [stream = signal.changes] in for await _ in stream { heard.update { $0 += 1 } } }
        defer { listener.cancel() }
        for count in 1...5 {
            catalogue.withLock { $0.expectChange() }
            await heard.wait { $0 >= count }
            for _ in 0..<100 {
                _ = catalogue.withLock { $0.served }
                await Task.yield()
            }
            #expect(heard.value == count)
        }
    }

    @Test func `what follows from a change is prepared by all but the one that it is from`() async {
        let (base, composed) = (Recorder(), Recorder())
        let next = answer
        signal.subscribe(base) { recorder, change in
            recorder.record(change)
            return []
        }
        signal.subscribe(composed) { recorder, change in
            recorder.record(change)
            return change.replaced == "a" ? [(next, "a+b")] : [(next, "never")]
        }
        do {
            let gone = Recorder()
            signal.subscribe(gone) { _, _ in [(next, "gone")] }
        }
        await signal.prepare((answer, "a"), within: .seconds(10), clock: ContinuousClock())
        #expect(base.replaced == ["a", "a+b"])
        #expect(composed.replaced == ["a"])
    }
}

/// Records the revisions that the changes replace.
private final class Recorder: Sendable {
    private let seen = Mutex<[String]>([])

    var replaced: [String] { seen.withLock { $0 } }

    func record(_ change: CatalogueSignal.Change) { seen.withLock { $0.append(change.replaced) } }
}
