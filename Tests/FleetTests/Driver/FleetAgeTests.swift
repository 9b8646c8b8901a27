import Concurrency
import Fleet
import FoundationEssentials
import Persistence
import Products
import Testing
import TestSupport

/// The age that an upstream states which is a cache, at every replica.
@Suite(.timeLimit(.minutes(1)))
struct FleetAgeTests {
    private static let confirmedAt = FleetRig.start.addingTimeInterval(-259_200)
    private static let statement = SourceStatement(.offline, cacheStatus: "larder; hit; ttl=-9; detail=offline")
    private let rig = FleetRig()

    /// An upstream that has been offline for three days.
    private func laundered() -> @Sendable () throws -> ProductsAnswer {
        { [wallClock = rig.wallClock] in
            ProductsAnswer(
                snapshot: ProductsSnapshot(
                    catalogue: try snapshot("Mug").catalogue, fetchedAt: Self.confirmedAt, checkedAt: wallClock.now(),
                    origin: .network, source: Self.statement))
        }
    }

    private func expectAged(_ snapshot: ProductsSnapshot, _ comment: Comment) {
        #expect(abs(snapshot.fetchedAt.timeIntervalSince(Self.confirmedAt)) < 2, comment)
        #expect(snapshot.source == Self.statement, comment)
        #expect(abs(snapshot.checkedAt.timeIntervalSince(rig.wallClock.now())) < 29, comment)
    }

    @Test func `what an upstream says of its age reaches all replicas, with a confirmation too`() async throws {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] {
            replica.upstream.behaves(laundered())
            try await replica.connected()
        }
        expectAged(try await a.ask().snapshot, "the replica that asked")
        try await rig.pass { b.store.report.served != nil }
        expectAged(try await b.ask().snapshot, "a replica that follows")
        rig.clock.advance(by: .seconds(30))
        _ = try await a.ask()
        try await rig.pass { b.store.report.pointer?.startedAt == rig.server.model.current?.startedAt }
        expectAged(try await b.ask().snapshot, "after a confirmation")
        let c = rig.replica("c")
        c.upstream.fails(.unreachable(.refused, detail: "dead"))
        try await c.connected()
        expectAged(try await c.ask().snapshot, "a replica that starts")
        #expect(b.upstream.calls + c.upstream.calls == 0)
        let entry = try #require(try await b.store.history().first)
        #expect(abs(entry.fetchedAt.timeIntervalSince(Self.confirmedAt)) < 2)
    }

    @Test func `a storage that is filled again has the age as well`() async throws {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        a.upstream.behaves(laundered())
        b.upstream.fails(.unreachable(.refused, detail: "dead"))
        try await a.connected()
        _ = try await a.ask()
        rig.server.change { $0.forget() }
        try await rig.pass { rig.server.model.current != nil }
        try await b.connected()
        expectAged(try await b.ask().snapshot, "after a refill")
    }

    @Test func `an upstream that is the source itself adds no statement`() async throws {
        let a = rig.replica("a")
        a.upstream.behaves { [wallClock = rig.wallClock] in
            ProductsAnswer(snapshot: try snapshot("Mug", fetchedAt: wallClock.now()))
        }
        try await a.connected()
        _ = try await a.ask()
        #expect(rig.server.model.current != nil && rig.server.model.current?.source == nil)
    }

    @Test func `a fetch for several that wait revalidates if one of them does, whichever makes it`() async throws {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        b.upstream.hold()
        let busy = b.begin()
        try await rig.pass { b.upstream.calls == 1 }
        let first = a.begin()
        try await rig.pass { a.asks == 1 }
        let second = Task { [provider = a.provider] in
            var request = ProductsRequest(revalidates: true)
            request.order = RefreshOrder(isForced: true)
            return try await provider.products(for: request)
        }
        try await rig.pass { a.asks == 2 }
        b.upstream.fails(.unreachable(.refused, detail: "dead"))
        b.upstream.release()
        _ = try await rig.result { try await first.value }
        _ = try await rig.result { try await second.value }
        #expect(a.upstream.state.value.revalidates.first == true)
        _ = try? await rig.result { try await busy.value }
    }
}
