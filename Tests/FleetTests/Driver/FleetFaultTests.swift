import Concurrency
import FoundationEssentials
import Health
import MetricsTestKit
import Persistence
import Products
import Testing
import TestSupport

@testable import Fleet

@Suite(.timeLimit(.minutes(1)))
struct FleetFaultTests {
    private let rig = FleetRig()

    @Test func `a storage that is away at the start costs a second`() async throws {
        for mode in FleetMember.Settings.Unavailability.allCases {
            let a = rig.replica("a") { $0.whenUnavailable = mode }
            a.link.set { $0.isUp = false }
            a.start()
            let start = rig.clock.now
            #expect(try await a.ask().snapshot.revision == revision("Mug"))
            #expect(start.duration(to: rig.clock.now) < .seconds(5))
            try await a.stop()
        }
    }

    @Test func `a storage that goes away later: each replica asks alone, or holds what it has`() async throws {
        let a = rig.replica("a")
        let b = rig.replica("b") { $0.whenUnavailable = .hold }
        for replica in [a, b] {
            try await replica.connected()
            _ = try await replica.ask()
        }
        for replica in [a, b] {
            replica.link.cut()
            try await rig.pass { !replica.store.report.isConnected }
        }
        rig.clock.advance(by: .seconds(30))
        a.upstream.gives("Cup")
        #expect(try await a.ask().snapshot.revision == revision("Cup"))
        #expect(try await b.failure()?.token == "store-failed")
        #expect(a.log.count(of: "warning: the shared storage is away") == 1)
        for replica in [a, b] { replica.link.mend() }
        try await rig.pass { try rig.server.model.current?.revision == revision("Cup") }
        try await rig.pass { try b.store.report.served?.revision == revision("Cup") }
        #expect(a.log.count(of: "notice: the shared storage is back") == 1)
        #expect(b.upstream.calls == 0)
    }

    @Test func `a storage that hangs is as one that is away`() async throws {
        let a = rig.replica("a")
        try await a.connected()
        _ = try await a.ask()
        rig.clock.advance(by: .seconds(30))
        a.link.set { $0.isHung = true }
        a.upstream.gives("Cup")
        let start = rig.clock.now
        #expect(try await a.ask().snapshot.revision == revision("Cup"))
        #expect(start.duration(to: rig.clock.now) < .seconds(8))
        a.link.mend()
        try await rig.pass { try rig.server.model.current?.revision == revision("Cup") }
    }

    @Test func `a storage that lost everything gets the newest catalogue again`() async throws {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        _ = try await a.ask()
        try await rig.pass { b.store.report.served != nil }
        rig.server.change { $0.forget() }
        try await rig.pass { rig.server.model.current != nil }
        #expect(try rig.server.model.current?.revision == revision("Mug"))
        try await rig.pass { a.log.count(of: refilled) + b.log.count(of: refilled) == 1 }
        #expect((a.upstream.calls, b.upstream.calls) == (1, 0))
        let c = rig.replica("c")
        try await c.connected()
        #expect(try await c.ask().snapshot.revision == revision("Mug"))
        #expect(c.upstream.calls == 0)
    }

    private let refilled = "notice: the shared storage has its catalogue again"

    @Test func `a catalogue from beyond the turn is fenced, and its asker gets the newer one`() async throws {
        let (a, b) = (rig.replica("a") { $0.turnLength = .seconds(2) }, rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        a.upstream.gives("Stale")
        a.upstream.hold()
        let late = a.begin()
        try await rig.pass { a.upstream.calls == 1 }
        a.link.set { $0.isDeaf = true }
        rig.clock.advance(by: .seconds(3))
        #expect(try await b.ask().snapshot.revision == revision("Mug"))
        a.upstream.gives("Stale")
        a.upstream.release()
        #expect(try await rig.result { try await late.value }.snapshot.revision == revision("Mug"))
        #expect(a.commits("fenced") == 1)
        #expect(a.log.count(of: "warning: the refresh took longer than the turn: its catalogue is not shared") == 1)
        #expect(try rig.server.model.current?.revision == revision("Mug"))
    }

    @Test func `a deaf replica follows by its poll, and says how late it is`() async throws {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        _ = try await a.ask()
        try await rig.pass { b.store.report.served != nil }
        b.link.set { $0.isDeaf = true }
        rig.clock.advance(by: .seconds(30))
        a.upstream.gives("Cup")
        _ = try await a.ask()
        let start = rig.clock.now
        try await rig.pass { try b.store.report.served?.revision == revision("Cup") }
        #expect(start.duration(to: rig.clock.now) <= .seconds(15))
        #expect(b.store.report.lag == .zero)
        let waits = try b.metrics.expectTimer("larder_shared_propagation_seconds", [("store", "shared")])
        try await rig.pass { !waits.values.isEmpty }
        #expect(waits.values.last.map { $0 >= 0 && $0 < 16_000_000_000 } == true)
    }

    @Test func `a storage that is away is a trouble with its cause and beginning`() async throws {
        let a = rig.replica("a")
        a.start()
        try await rig.pass { a.store.report.isConnected }
        #expect(a.store.troubles.isEmpty)
        a.link.cut()
        try await rig.pass { !a.store.report.isConnected }
        let trouble = try #require(a.store.troubles.first)
        #expect(trouble.kind == .sharedStore && trouble.cause == "not connected: cut")
        a.link.mend()
        try await rig.pass { a.store.report.isConnected }
        #expect(a.store.troubles.isEmpty)
    }

    @Test func `a damaged blob is refused once, and the own catalogue stays`() async throws {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        for replica in [a, b] { try await replica.connected() }
        _ = try await a.ask()
        try await rig.pass { b.store.report.served != nil }
        b.link.set { $0.isDamaging = true }
        a.upstream.gives("Cup")
        rig.clock.advance(by: .seconds(30))
        _ = try await a.ask()
        try await rig.pass { b.reads("damaged") == 1 }
        #expect(try b.store.report.served?.revision == revision("Mug"))
        try await rig.pass { b.store.report.lag > .zero }
        b.link.set { $0.isDamaging = false }
        try await rig.pass { try b.store.report.served?.revision == revision("Cup") }
        #expect(b.reads("damaged") == 1)
        #expect(b.store.report.lag == .zero)
    }

    @Test func `the own gate refuses what another replica let through`() async throws {
        let judge = RefusingJudge()
        let (a, b) = (rig.replica("a"), rig.replica("b", judge: judge))
        for replica in [a, b] { try await replica.connected() }
        _ = try await a.ask()
        try await rig.pass { b.reads("refused") == 1 }
        #expect(b.store.report.served == nil)
        try await a.store.accept(revision: revision("Mug"))
        try await rig.pass { b.store.report.served != nil }
        #expect(try judge.expected == [revision("Mug")])
    }

    @Test func `an order to accept says why the storage does not carry it out`() async throws {
        let a = rig.replica("a")
        await #expect(throws: FleetCatalogue.away) { try await a.store.accept(revision: revision("Mug")) }
        try await a.connected()
        a.link.set { $0.fault = .readOnly }
        let full = ProductsFailure.storeFailed(detail: "the shared storage does not write")
        await #expect(throws: full) { try await a.store.accept(revision: revision("Mug")) }
        a.link.set { $0.isHung = true }
        let order = Task { try await a.store.accept(revision: revision("Mug")) }
        try await rig.pass { a.link.count { if case .accept = $0 { true } else { false } } == 2 }
        a.link.cut()
        let silent = ProductsFailure.storeFailed(detail: "the shared storage does not answer", answered: false)
        try await rig.pass { !a.store.report.isConnected }
        await #expect(throws: silent) { try await order.value }
        #expect(rig.server.model.accepted == nil)
    }

    @Test func `the gate of a graph that is given up decides no more`() async throws {
        let (a, b) = (rig.replica("a"), rig.replica("b"))
        try await b.connected()
        let trial = Task.detached { [catalogue = b.catalogue] in await catalogue.run(judge: RefusingJudge()) }
        try await rig.pass { b.catalogue.state.withLock { $0.judges.count == 2 } }
        #expect(b.catalogue.state.withLock { $0.judge } is RefusingJudge)
        trial.cancel()
        try await rig.result { await trial.value }
        try await a.connected()
        _ = try await a.ask()
        try await rig.pass { try b.store.report.served?.revision == revision("Mug") }
    }

    @Test func `a storage that does not write is named once, and serves on`() async throws {
        let a = rig.replica("a")
        try await a.connected()
        a.link.set { $0.fault = .readOnly }
        #expect(try await a.ask().snapshot.revision == revision("Mug"))
        #expect(a.log.count(of: "warning: the shared storage does not write") == 1)
        a.link.set { $0.fault = nil }
        try await rig.pass { rig.server.model.current != nil }
        #expect(a.log.count(of: "notice: the shared storage writes again") == 1)
    }

    @Test
    func `the gate lets an accepted catalogue of the fleet through beside an order about another one`() async throws {
        let judge = OneSlotJudge()
        let (a, b) = (rig.replica("a"), rig.replica("b", judge: judge))
        try await a.connected()
        _ = try await a.ask()
        let cup = try revision("Cup")
        rig.server.change { model in
            model.current?.isAccepted = true
            model.accepted = cup
        }
        try await b.connected()
        try await rig.pass { try b.store.report.served?.revision == revision("Mug") }
        #expect(judge.expected == cup, "the order goes on")
        judge.isSilent = true
        a.upstream.gives("Cup")
        rig.clock.advance(by: .seconds(30))
        _ = try await a.ask()
        try await rig.pass { b.store.report.served?.revision == cup }
        try await rig.pass { judge.expected == nil }
    }
}

/// A gate that refuses what it does not expect.
private final class RefusingJudge: CatalogueJudge {
    private let state = Mutex<[String]>([])

    var expected: [String] { state.withLock { $0 } }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer { throw ProductsFailure.notStored }

    func judge(_ answer: ProductsAnswer, for request: ProductsRequest) async throws -> ProductsAnswer {
        guard expected.contains(answer.snapshot.revision) else {
            throw ProductsFailure.refused(.empty(count: 0, minimum: 1))
        }
        return answer
    }

    func compare(_ catalogue: Catalogue, replacing old: Catalogue) async throws(ProductsFailure) {}

    func expect(revision: String?) { state.withLock { $0 += [revision].compactMap(\.self) } }
}

/// A gate that expects one revision at a time, as the real one does.
private final class OneSlotJudge: CatalogueJudge {
    private let state = Mutex<(expected: String?, isSilent: Bool)>((nil, false))

    var expected: String? { state.withLock(\.expected) }
    /// Whether its baseline does not answer, so that catalogues pass unchecked.
    var isSilent: Bool {
        get { state.withLock(\.isSilent) }
        set { state.withLock { $0.isSilent = newValue } }
    }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer { throw ProductsFailure.notStored }

    func judge(_ answer: ProductsAnswer, for request: ProductsRequest) async throws -> ProductsAnswer {
        let passes = state.withLock { state in
            if state.isSilent { return true }
            defer { if state.expected == answer.snapshot.revision { state.expected = nil } }
            return state.expected == answer.snapshot.revision
        }
        guard passes else { throw ProductsFailure.refused(.empty(count: 0, minimum: 1)) }
        return answer
    }

    func compare(_ catalogue: Catalogue, replacing old: Catalogue) async throws(ProductsFailure) {}

    func expect(revision: String?) { state.withLock { $0.expected = revision } }
}
