internal import Concurrency
internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// What a memory does when a store below it, or a memory, signals a change.
@Suite(.timeLimit(.minutes(1)))
struct MemoryFollowingTests {
    private let store: ScriptedProvider
    private let fixture: MemoryFixture
    private var upstream: ScriptedProvider { fixture.upstream }
    private var memory: MemoryProductsProviderDecorator { fixture.memory }
    private var wall: ManualWallClock { fixture.wall }
    private static let html = ProductsFailure.malformed(detail: "HTML")

    init() {
        store = ScriptedProvider()
        fixture = MemoryFixture(followed: [store])
        fixture.works()
    }

    private func refresh() async throws -> RefreshResult {
        try #require(await memory.refresh(RefreshOrder(isForced: true)).first)
    }

    private func follow(isChangedBelow: Bool = false) async throws -> RefreshResult {
        try #require(await memory.follow(isChangedBelow: isChangedBelow).first)
    }

    @Test func `a change does not wait for an upstream that hangs`() async throws {
        _ = try await memory.ask()
        upstream.hold()
        fixture.pass(.seconds(40))
        _ = try await memory.ask()
        await upstream.wait(parked: 1)
        store.hasNewer(true)
        let following = Task { try await follow() }
        await upstream.wait(cancellations: 1)
        store.hasNewer(false)
        upstream.works(makeCatalogue("newer"), wall)
        upstream.release()
        #expect(try await following.value.after?.revision == makeCatalogue("newer").revision)
    }

    @Test func `a change leaves the refresh of an order to it, and asks once more where that was too early`()
        async throws
    {
        _ = try await memory.ask()
        upstream.hold()
        let ordered = Task { try await refresh() }
        await upstream.wait(parked: 1)
        store.hasNewer(true)
        let following = Task { try await follow() }
        await store.wait(newerAsks: 1)
        // The decision is made under the lock that the report takes.
        _ = memory.report
        store.hasNewer(false)
        upstream.works(makeCatalogue("newer"), wall)
        upstream.release()
        #expect(try await ordered.value.after?.revision == makeCatalogue("newer").revision)
        #expect(try await following.value.after?.revision == makeCatalogue("newer").revision)
        #expect(upstream.calls == 2 && upstream.cancellations == 0)
    }

    @Test func `a change of a memory below is asked for, without an order`() async throws {
        _ = try await memory.ask()
        upstream.works(makeCatalogue("newer"), wall)
        #expect(try await follow(isChangedBelow: true).after?.revision == makeCatalogue("newer").revision)
        #expect(upstream.requests.map(\.order?.isForced) == [nil, nil])
    }

    @Test func `the mark of the catalogue that it has goes with each refresh, past substitutes without one`()
        async throws
    {
        let giver = UInt32(7)
        func gives(_ number: Int) {
            upstream.does { [wall] in
                let snapshot = ProductsSnapshot(
                    catalogue: makeCatalogue("\(number)"), fetchedAt: wall.now, origin: .network)
                return ProductsAnswer(snapshot: snapshot, mark: CatalogueMark(number, of: giver))
            }
        }
        gives(4)
        _ = try await memory.ask()
        gives(5)
        _ = try await refresh()
        upstream.does { [wall] in
            let failed = TrailStep(node: "shared", outcome: .failed(Self.html))
            return ProductsAnswer(
                snapshot: ProductsSnapshot(
                    catalogue: makeCatalogue("mirror"), fetchedAt: wall.now + 5, origin: .network),
                trail: [failed])
        }
        _ = try await refresh()
        _ = try await refresh()
        #expect(upstream.requests.map { $0.known.number(of: giver) } == [0, 4, 5, 5])
        #expect(upstream.requests.first?.known == .nothing && upstream.requests.last?.known.number(of: 8) == nil)
    }

    @Test func `a newer catalogue of a store is asked for, also in a pause after failures, and none without one`()
        async throws
    {
        _ = try await memory.ask()
        upstream.fails(Self.html)
        _ = try await refresh()
        upstream.works(makeCatalogue("newer"), wall)
        _ = try await follow()
        #expect(upstream.calls == 2)
        store.hasNewer(true)
        let asked = Task { try await follow() }
        await upstream.wait(calls: 3)
        store.hasNewer(false)
        #expect(try await asked.value.after?.revision == makeCatalogue("newer").revision)
        #expect(upstream.requests.last?.revalidates == false && fixture.memory.report.memory?.troubles.isEmpty == true)
    }
}
