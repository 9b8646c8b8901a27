import Concurrency
import FoundationEssentials
import Persistence
import Products
import Testing
import TestSupport

@testable import Fleet

/// The catalogues that a replica has at its start: one on its disk, and one of another configuration.
@Suite(.timeLimit(.minutes(1)))
struct FleetStartTests {
    private let rig = FleetRig()

    @Test func `the catalogue from before the start substitutes for a failure, and for nothing else`() async throws {
        for mode in FleetMember.Settings.Unavailability.allCases {
            let disk = FakeDisk(try snapshot("Disk", fetchedAt: FleetRig.start.addingTimeInterval(-60)))
            let (a, b) = (rig.replica("a", refill: disk) { $0.whenUnavailable = mode }, rig.replica("b", refill: disk))
            a.upstream.fails(.unreachable(.refused, detail: "dead"))
            for replica in [a, b] {
                replica.link.set { $0.isUp = false }
                replica.start()
                try await rig.pass { replica.catalogue.state.withLock { $0.served != nil } }
            }
            let answer = try await a.ask()
            #expect(try answer.snapshot.revision == revision("Disk"))
            #expect(answer.failure != nil)
            #expect(try await b.ask().snapshot.revision == revision("Mug"))
        }
    }

    @Test(arguments: [false, true])
    func `an own clock that is ahead does not put the disk before the fleet`(comesLate: Bool) async throws {
        let rig = FleetRig(skew: .seconds(-600))
        let a = rig.replica("a")
        try await a.connected()
        _ = try await a.ask()
        let disk = FakeDisk(try snapshot("Disk", fetchedAt: FleetRig.start.addingTimeInterval(-60)))
        let b = rig.replica("b", refill: disk)
        if comesLate {
            b.link.set { $0.isUp = false }
            b.start()
            try await rig.pass { b.catalogue.state.withLock { $0.whole != nil } }
            b.link.mend()
            try await rig.pass { try b.store.report.served?.revision == revision("Mug") }
        } else {
            try await b.connected()
        }
        #expect(try await b.ask().snapshot.revision == revision("Mug"))
        rig.clock.advance(by: .seconds(20))
        try await rig.pass { b.link.count { $0 == .read } >= 4 }
        #expect(try rig.server.model.current?.revision == revision("Mug"))
    }

    @Test func `a disk that hangs at the start does not keep a replica from stopping`() async throws {
        let disk = HungDisk()
        let a = rig.replica("a", refill: disk)
        try await a.connected()
        #expect(try await a.ask().snapshot.revision == revision("Mug"))
        rig.clock.advance(by: .seconds(5))
        try await a.stop()
        disk.ends.update { $0 = true }
    }

    @Test
    func `the catalogue of another configuration substitutes for a failure, until there is an own one`() async throws {
        let blob = try #require(try CatalogueBlob(of: snapshot("Former"), maxBytes: 1 << 20))
        let pointer = CataloguePointer(
            generation: 7, revision: try revision("Former"), epoch: 3, startedAt: rig.server.now,
            checkedAt: rig.server.now, count: 3, bytes: blob.bytes.count, sha256: blob.sha256, writer: "x")
        let a = rig.replica("a")
        a.link.set { $0.former = FormerCatalogue(fingerprint: "old", pointer: pointer, blob: blob.bytes) }
        a.upstream.fails(.unreachable(.refused, detail: "dead"))
        a.start()
        try await rig.pass { a.store.report.isFormer }
        _ = try await a.ask()
        #expect(a.link.count { if case .acquire(let request) = $0 { request.isForced } else { false } } == 0)
        rig.clock.advance(by: .seconds(60))
        let answer = try await a.ask()
        #expect(try answer.snapshot.revision == revision("Former"))
        #expect(answer.failure?.token == "refused")
        a.upstream.gives("Mug")
        rig.clock.advance(by: .seconds(60))
        #expect(try await a.ask().snapshot.revision == revision("Mug"))
        #expect(!a.store.report.isFormer)
    }

    @Test(arguments: [-600, 0, 600, 999_999])
    func `the catalogue of another configuration is dated by the own clock`(ahead: Int) async throws {
        let rig = FleetRig(skew: .seconds(ahead > 600 ? 0 : ahead))
        let blob = try #require(try CatalogueBlob(of: snapshot("Former"), maxBytes: 1 << 20))
        let at = rig.server.now + (ahead > 600 ? ahead * 1_000 : 0)
        let pointer = CataloguePointer(
            generation: 7, revision: try revision("Former"), epoch: 3, startedAt: at, checkedAt: at, count: 3,
            bytes: blob.bytes.count, sha256: blob.sha256, writer: "x")
        let a = rig.replica("a")
        a.link.set { $0.former = FormerCatalogue(fingerprint: "old", pointer: pointer, blob: blob.bytes) }
        let start = rig.wallClock.now()
        a.start()
        try await rig.pass { a.store.report.isFormer }
        let former = try #require(a.catalogue.former)
        // A time in the future is not trusted: the catalogue counts as a day old.
        let expected = ahead > 600 ? start.addingTimeInterval(-86_400) : start
        #expect(abs(former.checkedAt.timeIntervalSince(expected)) < 10)
    }
}

/// A store that gives nothing before the end, not even a failure.
private struct HungDisk: ProductsStore {
    let ends = Observed(false)

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        await ends.wait { $0 }
        throw ProductsFailure.notStored
    }
    var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }
    func pinned() async -> ProductsAnswer? { nil }
    func hasNewer(than mark: CatalogueMark) -> Bool { false }
    func save(_ snapshot: ProductsSnapshot) async throws {}
    func saveLater(_ snapshot: ProductsSnapshot) {}
    func generationCount() async -> Int? { nil }
    var savingTime: Duration { .zero }
}
