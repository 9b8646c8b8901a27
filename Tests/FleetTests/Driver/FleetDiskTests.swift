import Concurrency
import FoundationEssentials
import Health
import Persistence
import Products
import Testing
import TestSupport

@testable import Fleet

/// What a replica knows from its disk: the places of catalogues in the order of the fleet, and the pin.
@Suite(.timeLimit(.minutes(1)))
struct FleetDiskTests {
    private let rig = FleetRig()

    /// A replica that has given a catalogue, which is on its disk by now; it is stopped.
    private func served(_ name: String, on disk: FakeDisk, dated: Duration = .zero) async throws -> Replica {
        let a = rig.replica("a-\(name)", refill: disk)
        a.upstream.gives(name)
        try await a.connected()
        #expect(try await a.ask().snapshot.revision == revision(name))
        disk.snapshot = try snapshot(name, fetchedAt: rig.wallClock.now().addingTimeInterval(dated / .seconds(1)))
        try await rig.pass { try disk.text("fleet.json").contains(revision(name)) }
        try await a.stop()
        return a
    }

    @Test func `a replica fills an empty storage from its own disk`() async throws {
        let disk = FakeDisk()
        _ = try await served("Mug", on: disk)
        rig.server.change { $0.forget() }
        rig.clock.advance(by: .seconds(60))
        let b = rig.replica("b", refill: disk)
        b.start()
        try await rig.pass { try rig.server.model.current?.revision == revision("Mug") }
        #expect(b.upstream.calls == 0)
    }

    @Test
    func `a catalogue that may be of another configuration stays out of the storage, and substitutes for a failure`()
        async throws
    {
        let disk = FakeDisk(try snapshot("Disk", fetchedAt: FleetRig.start.addingTimeInterval(-60)))
        let a = rig.replica("a", refill: disk)
        a.upstream.fails(.unreachable(.refused, detail: "dead"))
        try await a.connected()
        #expect(try await a.ask().snapshot.revision == revision("Disk"))
        rig.clock.advance(by: .seconds(30))
        try await rig.pass { a.link.count { $0 == .read } >= 3 }
        #expect(rig.server.model.current == nil)
    }

    @Test(arguments: [30, 3_600])
    func `a disk that a wrong clock has dated does not throw the fleet back`(ahead: Int) async throws {
        let disk = FakeDisk()
        let old = try await served("Old", on: disk, dated: .seconds(ahead))
        rig.clock.advance(by: .seconds(20))
        let b = rig.replica("b")
        b.upstream.gives("New")
        try await b.connected()
        _ = try await b.ask()
        rig.clock.advance(by: .seconds(30))
        #expect(try await b.ask().snapshot.revision == revision("New"))
        let c = rig.replica("c", refill: disk)
        try await c.connected()
        #expect(try await c.ask().snapshot.revision == revision("New"))
        rig.clock.advance(by: .seconds(30))
        try await rig.pass { c.link.count { $0 == .read } >= 3 }
        #expect(try rig.server.model.current?.revision == revision("New"))
        #expect(try b.store.report.served?.revision == revision("New"))
        _ = old
    }

    @Test func `a catalogue from the future is a day old where nothing else can be served`() async throws {
        let disk = FakeDisk(try snapshot("Disk", fetchedAt: FleetRig.start.addingTimeInterval(3_600)))
        let a = rig.replica("a", refill: disk)
        a.link.set { $0.isUp = false }
        a.upstream.fails(.unreachable(.refused, detail: "dead"))
        a.start()
        try await rig.pass { a.catalogue.state.withLock { $0.served != nil } }
        let answer = try await a.ask()
        #expect(try answer.snapshot.revision == revision("Disk"))
        #expect(answer.snapshot.age(at: rig.wallClock.now()) > .seconds(86_000))
    }

    @Test
    func `a replica that starts without the storage obeys the pin, and gives it back to a storage that lost it`()
        async throws
    {
        let disk = FakeDisk()
        let pin = try await pinned(on: disk)
        rig.server.change { $0.forget() }

        let b = rig.replica("b", refill: disk)
        b.link.set { $0.isUp = false }
        b.upstream.fails(.unreachable(.refused, detail: "dead"))
        b.start()
        try await rig.pass { b.isPinned }
        #expect(try await b.store.pinned()?.snapshot.revision == revision("Mug"))
        #expect(try await b.store.currentPin() == pin)
        b.link.mend()
        try await rig.pass { rig.server.model.pin?.pointer?.generation == 1 }
        #expect(b.isPinned)
    }

    @Test
    func `a replica that has not had the storage since its start takes the pin off, and the storage learns it`()
        async throws
    {
        let disk = FakeDisk()
        _ = try await pinned(on: disk)
        let b = rig.replica("b", refill: disk)
        b.link.set { $0.isUp = false }
        b.start()
        try await rig.pass { b.isPinned }
        _ = try await rig.result { try await b.store.unpin() }
        #expect(!b.isPinned)
        #expect(rig.server.model.pin?.pointer != nil)
        b.link.mend()
        try await rig.pass { rig.server.model.pin != nil && rig.server.model.pin?.pointer == nil }
        #expect(!b.isPinned)
    }

    @Test(arguments: [Duration.seconds(-3_600), .zero, .seconds(3_600)])
    func `the find of a replica that has fetched alone counts by the storage's clock, whatever its own says`(
        skew: Duration
    ) async throws {
        let rig = FleetRig(skew: skew)
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        b.upstream.gives("Early")
        b.link.set { $0.isUp = false }
        b.start()
        #expect(try await b.ask().snapshot.revision == revision("Early"))
        rig.clock.advance(by: .seconds(10))
        a.upstream.gives("Late")
        try await a.connected()
        _ = try await a.ask()
        b.link.mend()
        try await rig.pass { try b.store.report.served?.revision == revision("Late") }
        rig.clock.advance(by: .seconds(10))
        try await rig.pass { b.link.count { $0 == .read } >= 2 }
        #expect(try rig.server.model.current?.revision == revision("Late"))
    }

    @Test(arguments: [false, true])
    func
        `the find of a replica that has fetched alone keeps its time over a restart, unless the machine has booted since`(
            hasBooted: Bool
        ) async throws
    {
        // The time that the disk's clock gave it does not count.
        let (rig, disk) = (FleetRig(skew: .seconds(600)), FakeDisk())
        let other = rig.replica("a")
        other.upstream.gives("Early")
        try await other.connected()
        _ = try await other.ask()
        rig.clock.advance(by: .seconds(30))
        let before = rig.replica("b", refill: disk)
        before.upstream.gives("Late")
        before.link.set { $0.isUp = false }
        before.start()
        #expect(try await before.ask().snapshot.revision == revision("Late"))
        disk.snapshot = try snapshot("Late", fetchedAt: rig.wallClock.now())
        try await rig.pass { try disk.text("fleet.json").contains(revision("Late")) }
        try await before.stop()
        if hasBooted {
            let note = disk.text("fleet.json").replacing("\"boot\":\"", with: "\"boot\":\"another")
            try await disk.keep(Array(note.utf8), as: "fleet.json")
        }
        let after = rig.replica("b", refill: disk)
        try await after.connected()
        try await rig.pass { after.link.count { $0 == .read } >= 3 }
        #expect(try after.store.report.served?.revision == revision(hasBooted ? "Early" : "Late"))
    }

    @Test func `clocks that disagree are said once, with the difference`() async throws {
        let rig = FleetRig(skew: .seconds(600))
        let a = rig.replica("a")
        try await a.connected()
        _ = try await a.ask()
        let difference = try #require(a.store.report.clockDifference)
        #expect(abs(difference / .seconds(1) + 600) < 1)
        #expect(a.log.count(of: "warning: this machine's clock and the shared storage's disagree") == 1)
        let trouble = try #require(a.store.report.troubles.first { $0.kind == .clock })
        #expect(trouble.cause.hasPrefix("this machine's clock is ") && trouble.cause.hasSuffix(" s behind the store's"))
    }

    @Test func `a record that the disk does not take is a trouble, and is written at a later poll`() async throws {
        let disk = FakeDisk()
        let a = rig.replica("a", refill: disk)
        try await a.connected()
        disk.isFull = true
        _ = try await a.ask()
        let begin = "warning: the record of the fleet cannot be kept, a restart would forget it"
        try await rig.pass { a.log.count(of: begin) == 1 }
        #expect(a.store.troubles.map(\.kind) == [.store])
        let reads = a.link.count { $0 == .read }
        try await rig.pass { a.link.count { $0 == .read } >= reads + 3 }
        #expect(a.log.count(of: begin) == 1)
        disk.isFull = false
        try await rig.pass { try disk.text("fleet.json").contains(revision("Mug")) }
        try await rig.pass { a.store.troubles.isEmpty }
        #expect(a.log.count(of: "notice: the record of the fleet is kept again") == 1)
    }

    @Test func `a record that a newer version has written stays as it is`() async throws {
        let (disk, newer) = (FakeDisk(), #"{"format":2,"fleets":{}}"#)
        try await disk.keep(Array(newer.utf8), as: "fleet.json")
        let a = rig.replica("a", refill: disk)
        try await a.connected()
        #expect(try await a.ask().snapshot.revision == revision("Mug"))
        try await rig.pass { a.link.count { $0 == .read } >= 3 }
        #expect(disk.text("fleet.json") == newer)
        let trouble = try #require(a.store.troubles.first)
        #expect(trouble.cause == "fleet.json: written in format 2, newer than 1, the newest known")
    }

    /// A stopped replica that has served `Mug` and `Cup`, and then `Mug` by a pin. Its disk has all of these.
    private func pinned(on disk: FakeDisk) async throws -> CataloguePin {
        let a = rig.replica("a", refill: disk)
        try await a.connected()
        _ = try await a.ask()
        rig.clock.advance(by: .seconds(30))
        a.upstream.gives("Cup")
        _ = try await a.ask()
        disk.snapshot = try snapshot("Cup", fetchedAt: rig.wallClock.now())
        let order = OperatorOrder(at: FleetRig.start.addingTimeInterval(90), by: "ops", reason: "prices")
        let pin = try await rig.result { try await a.store.pin(.generation(1), by: order) }
        try await rig.pass { !disk.text("fleet-pin.gz").isEmpty && disk.text("fleet.json").contains("prices") }
        try await a.stop()
        return pin
    }

    @Test func `a pin on the disk that was taken off meanwhile stays off`() async throws {
        let disk = FakeDisk()
        _ = try await pinned(on: disk)
        let other = rig.replica("other")
        try await other.connected()
        try await rig.pass { other.isPinned }
        _ = try await rig.result { try await other.store.unpin() }
        let b = rig.replica("b", refill: disk)
        try await b.connected()
        try await rig.pass { try b.store.report.served?.revision == revision("Cup") && b.store.report.pin == nil }
        // The disk reports its pin again after a second.
        let start = rig.clock.now
        try await rig.pass {
            #expect(b.store.report.pin == nil && !b.isPinned)
            return start.duration(to: rig.clock.now) > .seconds(3)
        }
        try await rig.pass { !disk.text("fleet.json").contains("prices") }
    }

    @Test
    func `the blob of a pin takes the place of the one on the disk only when it is good, and is tried again`()
        async throws
    {
        let disk = FakeDisk()
        let pin = try await pinned(on: disk)
        let kept = disk.text("fleet-pin.gz")
        let b = rig.replica("b", refill: disk)
        b.link.set { $0.isDamaging = true }
        try await b.connected()
        try await rig.pass { b.isPinned }
        let cup = OperatorOrder(at: FleetRig.start.addingTimeInterval(900), by: "ops", reason: "more")
        _ = try await rig.result { try await b.store.pin(.generation(2), by: cup) }
        try await rig.pass { b.link.count { if case .reportDamage = $0 { true } else { false } } > 0 }
        #expect(disk.text("fleet-pin.gz") == kept)
        b.link.set { $0.isDamaging = false }
        try await rig.pass { disk.text("fleet-pin.gz") != kept }
        let pinned = try #require(rig.server.model.pin?.pointer)
        let blob = try await disk.note("fleet-pin.gz", limit: 1 << 20)
        #expect(try CatalogueBlob.decode(blob, as: pinned, maxBytes: 1 << 20, known: nil).revision == revision("Cup"))
        #expect(pin.isWritten)
    }
}
