import FoundationEssentials
import Persistence
import Products
import Testing
import TestSupport

@testable import Fleet

@Suite(.timeLimit(.minutes(1)))
struct FleetPinTests {
    private let rig = FleetRig()
    private let order = OperatorOrder(at: FleetRig.start.addingTimeInterval(90), by: "r1 from ops", reason: "prices")

    /// Two replicas of a fleet that has committed `Mug`, and then `Cup`.
    private func fleet() async throws -> (a: Replica, b: Replica) {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        _ = try await a.ask()
        rig.clock.advance(by: .seconds(30))
        a.upstream.gives("Cup")
        _ = try await a.ask()
        try await rig.pass { try b.store.report.served?.revision == revision("Cup") }
        return (a, b)
    }

    private func pin(_ target: HistoryTarget, at replica: Replica) async throws -> CataloguePin {
        try await rig.result { [order] in try await replica.store.pin(target, by: order) }
    }

    @Test func `the history is that of the fleet`() async throws {
        let (_, b) = try await fleet()
        let entries = try await b.store.history()
        #expect(try entries.map(\.revision) == [revision("Cup"), revision("Mug")])
        #expect(entries.map(\.generation) == [2, 1])
        let reads = b.link.state.value.commands.count
        #expect(await b.store.generationCount() == nil)
        #expect(b.link.state.value.commands.count == reads)
        #expect(try await b.store.snapshot(of: .generation(1)).revision == revision("Mug"))
        #expect(
            try await b.store.snapshot(of: .revision(String(revision("Cup").prefix(8)))).revision == revision("Cup"))
        await #expect(throws: ProductsFailure.notStored) { try await b.store.snapshot(of: .generation(9)) }
    }

    @Test func `a pin is obeyed by all replicas, and outlasts refreshes and the storage`() async throws {
        let (a, b) = try await fleet()
        let pin = try await pin(.generation(1), at: a)
        #expect(try pin.revision == revision("Mug"))
        #expect(pin.generation == 1)
        try await rig.pass { b.isPinned }
        for replica in [a, b] {
            let answer = try #require(await replica.store.pinned())
            #expect(try answer.snapshot.revision == revision("Mug"))
            #expect(answer.trail.map(\.description) == ["shared: pinned"])
            #expect(try await replica.store.currentPin() == pin)
            #expect(try replica.catalogue.given?.snapshot.revision == revision("Cup"), "refreshes go on from it")
        }
        rig.clock.advance(by: .seconds(30))
        a.upstream.gives("Bowl")
        let mark = try #require(a.catalogue.given?.sequence)
        let refreshed = try await a.ask()
        #expect(try refreshed.snapshot.revision == revision("Bowl") && refreshed.standing == .confirmed)
        #expect(try rig.server.model.current?.revision == revision("Bowl"))
        #expect(try #require(a.catalogue.given?.sequence) > mark && a.isPinned)
        rig.server.change { $0.pin = nil }
        try await rig.pass { rig.server.model.pin != nil }
        #expect(try await rig.result { try await b.store.unpin() } == pin)
        try await rig.pass { !a.isPinned && !b.isPinned }
        for replica in [a, b] {
            try await rig.pass { try replica.store.report.served?.revision == revision("Bowl") }
        }
        #expect(try await b.store.currentPin() == nil)
    }

    @Test
    func `without the storage an order about pins is one to this replica, and the latest counts when it is back`()
        async throws
    {
        let (a, b) = try await fleet()
        a.link.cut()
        try await rig.pass { !a.store.report.isConnected }
        #expect(try await a.store.history().map(\.generation) == [2, 1], "those that it has seen")
        _ = try await pin(.generation(2), at: a)
        #expect(a.isPinned && !b.isPinned)
        #expect(await a.store.pinned()?.trail.map(\.description) == ["shared: pinned"])
        a.link.mend()
        try await rig.pass { b.isPinned }
        b.link.cut()
        try await rig.pass { !b.store.report.isConnected }
        _ = try await rig.result { try await b.store.unpin() }
        #expect(!b.isPinned && a.isPinned)
        b.link.mend()
        try await rig.pass { !a.isPinned }
    }

    @Test func `what a replica fetches alone under a pin is there when the pin is taken off`() async throws {
        let (a, _) = try await fleet()
        _ = try await pin(.generation(1), at: a)
        a.link.cut()
        try await rig.pass { !a.store.report.isConnected }
        a.upstream.gives("Bowl")
        rig.clock.advance(by: .seconds(30))
        #expect(try await a.ask().snapshot.revision == revision("Bowl"))
        #expect(try a.isPinned && a.store.report.served?.revision == revision("Mug"))
        let first = try #require(a.catalogue.given)
        rig.clock.advance(by: .seconds(30))
        _ = try await a.ask()
        #expect(try #require(a.catalogue.given).sequence > first.sequence, "also where it has not changed")
        _ = try await rig.result { try await a.store.unpin() }
        #expect(try a.catalogue.given?.snapshot.revision == revision("Bowl"))
        #expect(!a.isPinned)
        a.link.mend()
        try await rig.pass { try rig.server.model.current?.revision == revision("Bowl") }
    }

    @Test func `replicas know each other`() async throws {
        let (a, b) = try await fleet()
        try await rig.pass { await b.store.replicas().map(\.generation) == [2, 2] }
        let known = await a.store.replicas()
        #expect(known.map(\.name) == ["a", "b"])
        #expect(try known.allSatisfy { try $0.revision == revision("Cup") && $0.lag == .zero && !$0.holdsTurn })
        a.link.cut()
        try await rig.pass { !a.store.report.isConnected }
        #expect(await a.store.replicas().isEmpty)
    }

    @Test func `a store whose catalogue nobody runs says so`() async throws {
        let store = SharedProductsStore(
            settings: FleetMember.Settings(name: "x", seed: 1), logger: LogRecorder().logger, clock: rig.clock,
            wallClock: rig.wallClock
        ) { _ in FakeStorage(link: FakeLink(server: FleetServer(clock: ManualClock(), skew: .zero))) }
        #expect(store.report.name == "x")
        await #expect(throws: ProductsFailure.notStored) { try await store.products(for: ProductsRequest()) }
        await #expect(throws: ProductsFailure.self) { try await store.history() }
        #expect(await store.replicas().isEmpty)
        #expect(store.catalogue(fingerprint: "f") === store.catalogue(fingerprint: "f"))
        #expect(store.catalogue(fingerprint: "f") !== store.catalogue(fingerprint: "g"))
    }

    @Test func `a pin says whether it outlasts the replica: in the storage, or on its disk`() async throws {
        let (disk, order) = (FakeDisk(), order)
        let (a, b) = (rig.replica("a", refill: disk), rig.replica("b"))
        for replica in [a, b] {
            try await replica.connected()
            _ = try await replica.ask()
        }
        #expect(try await pin(.newest, at: b).isWritten)
        #expect(try await b.store.currentPin()?.isWritten == true)
        for replica in [a, b] {
            replica.link.cut()
            try await rig.pass { !replica.store.report.isConnected }
        }
        let later = OperatorOrder(at: order.at.addingTimeInterval(60), by: "ops", reason: nil)
        #expect(try await rig.result { try await a.store.pin(.newest, by: later) }.isWritten)
        #expect(try await a.store.currentPin()?.isWritten == true)
        #expect(try await rig.result { try await b.store.pin(.newest, by: later) }.isWritten == false)
        #expect(try await b.store.currentPin()?.isWritten == false)
        b.link.mend()
        try await rig.pass { try await b.store.currentPin()?.isWritten == true }
    }

    @Test func `without the storage a replica pins nothing that it does not have`() async throws {
        let (a, _) = try await fleet()
        a.link.cut()
        try await rig.pass { !a.store.report.isConnected }
        await #expect(throws: ProductsFailure.notStored) { try await pin(.generation(1), at: a) }
        #expect(try await a.store.currentPin() == nil)
        #expect(!a.isPinned)
        #expect(try await pin(.generation(2), at: a).generation == 2)
    }

    @Test
    func `a storage that lost everything under a pin gets the newest catalogue again, and not the pinned one`()
        async throws
    {
        let (a, b) = try await fleet()
        _ = try await pin(.generation(1), at: a)
        try await rig.pass { b.isPinned }
        rig.clock.advance(by: .seconds(30))
        a.upstream.gives("Bowl")
        try await rig.pass {
            _ = try await a.ask()
            return try rig.server.model.current?.revision == revision("Bowl")
        }
        // What the upstream has by now is no help.
        for replica in [a, b] { replica.upstream.fails(.unreachable(.refused, detail: "dead")) }
        rig.server.change { $0.forget() }
        try await rig.pass { try rig.server.model.current?.revision == revision("Bowl") }
        _ = try await rig.result { try await b.store.unpin() }
        for replica in [a, b] {
            try await rig.pass {
                try replica.store.report.served?.revision == revision("Bowl") && !replica.isPinned
            }
        }
    }

    @Test
    func `a refresh behind a pin is kept, also where its announcement comes before the reply to the commit`() throws {
        func loaded(_ name: String) throws -> FleetCatalogue.LoadedCatalogue {
            let snapshot = try snapshot(name)
            return FleetCatalogue.LoadedCatalogue(snapshot: snapshot, encoded: snapshot, sequence: 1)
        }
        let pointer = CataloguePointer(
            generation: 3, revision: try revision("Bowl"), epoch: 1, startedAt: 9, checkedAt: 9, count: 3, bytes: 3,
            sha256: "sha", writer: "a")
        var state = FleetCatalogue.State(member: FleetMember(settings: FleetMember.Settings(name: "a", seed: 1)))
        state.member.servesPin = true
        (state.served, state.whole) = (try loaded("Mug"), try loaded("Cup"))
        state.fetched = (try snapshot("Bowl"), [])
        _ = state.confirm(pointer, at: .zero, wall: FleetRig.start)
        state.keep(pointer.revision, pointer, wall: FleetRig.start)
        #expect(try state.whole?.snapshot.revision == revision("Bowl"))
        #expect(try state.served?.snapshot.revision == revision("Mug"))
    }
}
