internal import Concurrency
internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// Leases on catalogues that a strategy makes of others.
@Suite(.timeLimit(.minutes(1)))
struct JoinedLeaseTests {
    private func lease(_ fixture: OverlayFixture) async throws -> ProductsLease {
        try #require(try await observed(fixture.overlay, "top").ask().lease)
    }

    private func told(_ lease: ProductsLease?, _ fixture: OverlayFixture) -> String? {
        lease?.answer(for: ProductsRequest(), at: fixture.wall.now).map { OverlayFixture.told($0)[0] }
    }

    @Test func `an answer from the lease is that of the graph, and refreshes of either side are started behind it`()
        async throws
    {
        let fixture = OverlayFixture(whenStale: .mark)
        fixture.worksBelow()
        fixture.worksBeside()
        let lease = try await self.lease(fixture)
        #expect(lease.path == ["memory", "top"] && lease.isOfAnyCatalogue)
        #expect(told(lease, fixture) == "p0 99 3")
        #expect(fixture.stock.calls == 1 && fixture.base.calls == 1)
        fixture.stock.hold()
        fixture.pass(.seconds(3))
        for _ in 0..<5 { #expect(told(lease, fixture) == "p0 99 3") }
        await fixture.stock.wait(parked: 1)
        #expect(fixture.stock.calls == 2 && fixture.base.calls == 1)
        fixture.stock.release()
    }

    @Test func `a lease ends when the entries become stale, and the next one is on the marked catalogue`() async throws
    {
        let fixture = OverlayFixture(whenStale: .mark)
        fixture.worksBelow()
        fixture.worksBeside()
        let fresh = try await self.lease(fixture)
        fixture.stock.fails(OverlayFixture.down)
        fixture.pass(.seconds(6))
        #expect(told(fresh, fixture) == nil)
        #expect(try await fixture.told()[0] == "p0 99 3 price,stock")
        let stale = try await self.lease(fixture)
        #expect(told(stale, fixture) == "p0 99 3 price,stock")
    }

    /// Returns the successor of a lease once it is withdrawn.
    private func successor(of lease: ProductsLease, after change: () -> Void) async throws -> ProductsLease? {
        let released = Shared(0)
        lease.publication.whenReleased { released.withLock { $0 += 1 } }
        change()
        try await eventually { released.withLock { $0 } == 1 }
        #expect(!lease.publication.isCurrent)
        return lease.renewed()
    }

    @Test func `when entries are replaced the lease is renewed on the catalogue that was composed ahead`() async throws
    {
        let fixture = OverlayFixture()
        fixture.worksBelow()
        fixture.worksBeside()
        var lease = try await self.lease(fixture)
        for amount in [50, 51, 52] as [Decimal] {
            let next = try await successor(of: lease) {
                fixture.worksBeside(amount: amount)
                fixture.pass(.seconds(3))
                _ = told(lease, fixture)
            }
            #expect(told(next, fixture) == "p0 \(amount) 3")
            lease = try #require(next)
            let catalogue = lease.answer(for: ProductsRequest(), at: fixture.wall.now)?.snapshot.catalogue
            #expect(try await fixture.overlay.ask().snapshot.catalogue === catalogue)
        }
        #expect(fixture.base.calls == 1)
    }

    @Test func `when the catalogue is replaced the lease is renewed on the one that was composed ahead`() async throws {
        let fixture = OverlayFixture()
        fixture.worksBelow()
        fixture.worksBeside()
        _ = try await fixture.told()
        fixture.base.hold()
        fixture.pass(.seconds(31))
        let lease = try await self.lease(fixture)
        await fixture.base.wait(parked: 1)
        let next = try await successor(of: lease) {
            fixture.worksBelow("Cup")
            fixture.base.release()
        }
        let answer = try #require(next?.answer(for: ProductsRequest(), at: fixture.wall.now))
        #expect(answer.snapshot.products[0].name == "Cup" && OverlayFixture.told(answer)[0] == "p0 99 3")
    }

    @Test func `a catalogue is composed once for all requests, and ahead of the change`() async throws {
        let compositions = Shared(0)
        let catalogues = ComposedCatalogues<String>()
        let catalogue = makeCatalogue()
        @Sendable func get(_ layers: String, isAhead: Bool = false) async throws -> Bool {
            try await catalogues.catalogue(of: layers, for: [], isAhead: isAhead) { _ in
                compositions.withLock { $0 += 1 }
                return catalogue
            }.isNew
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { try await get("a") } }
            try await group.waitForAll()
        }
        #expect(compositions.withLock { $0 } == 1)
        #expect(try await get("b", isAhead: true))
        #expect(catalogues.inForce.map(\.composed.layers) == ["a"])
        #expect(try await get("a") == false)
        #expect(catalogues.composed(of: "b", for: []) === catalogue)
        #expect(catalogues.inForce.map(\.composed.layers) == ["b"])
        #expect(try await get("b") == false)
        #expect(compositions.withLock { $0 } == 2)
    }

    @Test func `what could not be composed is composed again for the next request`() async throws {
        let catalogues = ComposedCatalogues<String>()
        for _ in 0..<2 {
            await #expect(throws: ProductsFailure.notStored) {
                try await catalogues.catalogue(of: "a", for: []) { _ in throw ProductsFailure.notStored }
            }
        }
        #expect(try await catalogues.catalogue(of: "a", for: []) { _ in makeCatalogue() }.isNew)
    }

    @Test func `a merge leases while all its parts do, and forgets what was joined of a withdrawn one`() async throws {
        let (a, b, wall) = (ScriptedProvider(), ScriptedProvider(), ManualWallClock())
        for (provider, ids) in [(a, ["1"]), (b, ["2"])] {
            provider.gives(makeSnapshot(ids: ids))
            provider.publishes()
        }
        let merge = MergeProductsProviderStrategy(
            parts: [.init(name: "a", provider: a), .init(name: "b", provider: b)], wallClock: wall.wallClock)
        let top = observed(merge, "top")
        let lease = try #require(try await top.ask().lease)
        #expect(lease.answer(for: ProductsRequest(), at: wall.now)?.snapshot.products.map(\.id) == ["1", "2"])
        #expect(try await top.ask().lease?.publication === lease.publication)
        b.fails(.notStored)
        #expect(lease.answer(for: ProductsRequest(), at: wall.now) == nil)
        #expect(try await top.failure() == .notStored)
    }

    @Test func `the path of a merge has the paths of its parts side by side`() {
        let path = LeasePath(joining: [["one", "a"], ["b"], []]).adding("merge").adding("top")
        let recorder = SpanRecorder()
        recorder.record(path)
        #expect(recorder.spans.map(\.node) == ["top", "merge", "a", "one", "b"])
        #expect(recorder.spans.map(\.parent) == [nil, 0, 1, 2, 1])
    }
}
