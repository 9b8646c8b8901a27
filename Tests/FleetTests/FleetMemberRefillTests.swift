import Testing

@testable import Fleet

/// What a member writes back to a storage that has lost its catalogue, with and without a pin.
@Suite struct FleetMemberRefillTests: MemberSuite {
    @Test func `a storage that is back is filled once it was read, and not before`() throws {
        let bench = try following("a", at: 5)
        bench.handle(.link(isUp: false))
        bench.handle(.asked(1, isForced: false))
        bench.handle(.fetched(try #require(bench.member.turns.alone?.id), .catalogue(catalogue("b"))))
        bench.handle(.link(isUp: true))
        let look = try #require(bench.sentRead())
        bench.now += .seconds(1)
        bench.handle(.wake)
        #expect(weighings(bench).isEmpty)
        bench.handle(.reply(look, .contents(StorageContents(pointer: pointer("a", at: 5)))))
        _ = bench.sent({ _ in false }, within: .seconds(1))
        bench.handle(.weighed(try #require(weighings(bench).last), .passes))
        #expect(bench.sentAcquire(.refill) != nil)
    }

    /// A member that has `a`, was alone for a while, and has `b` by now, while the storage has `a`: it compares the two.
    private func comparing() throws -> (MemberBench, FleetMember.FetchID) {
        let bench = try following("a", at: 5)
        bench.handle(.link(isUp: false))
        bench.handle(.asked(1, isForced: false))
        bench.handle(.fetched(try #require(bench.member.turns.alone?.id), .catalogue(catalogue("b"))))
        try bench.linked(StorageContents(pointer: pointer("a", at: 5), now: bench.member.clock))
        _ = bench.sent({ _ in false }, within: .seconds(1))
        return (bench, try #require(weighings(bench).last))
    }

    @Test(arguments: [FleetMember.Weight.passes, .refused])
    func `the result of a comparison says nothing about what is served by then`(weight: FleetMember.Weight) throws {
        let (bench, weighing) = try comparing()
        let newer = pointer("c", at: bench.member.clock + 5)
        announce(newer, to: bench)
        try adopt(newer, bench)
        bench.log = []
        try read(StorageContents(pointer: pointer("d", at: 6), now: bench.member.clock), bench)
        bench.handle(.weighed(weighing, weight))
        #expect(bench.member.served?.startedAt == newer.startedAt)
        #expect(bench.sent({ if case .acquire = $0 { true } else { false } }, within: .zero) == nil)
        #expect(bench.member.repair.weighed == nil)
    }

    @Test func `a storage whose catalogue is as old as the own one is not behind`() throws {
        let bench = try following("b", at: 5)
        try read(StorageContents(pointer: pointer("a", at: 5), now: bench.member.clock), bench)
        _ = bench.sent({ _ in false }, within: .seconds(1))
        #expect(weighings(bench).isEmpty && bench.member.repair.due == nil)
    }

    /// A member that gives `a` by a pin and has `b` whole, which is newer.
    private func pinned() throws -> MemberBench {
        let bench = try following("a", at: 5)
        announce(pointer("b", at: 9, generation: 2), to: bench)
        try adopt(pointer("b", at: 9), bench)
        bench.handle(.pinned(PinRecord(version: 7, pointer: pointer("a", at: 5), by: "operator", reason: nil)))
        let read = try #require(readsBlob(pointer("a", at: 5), bench))
        bench.handle(.reply(read, .blob([1, 2, 3])))
        bench.handle(.examined(sha256: "sha-a", .good))
        #expect(bench.member.servesPin && bench.member.served?.revision == "a")
        bench.log = []
        return bench
    }

    @Test(arguments: [true, false])
    func `a storage that loses its catalogue under a pin gets the newest again`(isEmpty: Bool) throws {
        let bench = try pinned()
        try read(StorageContents(pointer: isEmpty ? nil : pointer("0", at: 3)), bench)
        if !isEmpty {
            _ = bench.sent({ _ in false }, within: .seconds(1))
            bench.handle(.weighed(try #require(weighings(bench).last), .passes))
        }
        let (id, request) = try #require(bench.sentAcquire(.refill))
        #expect(request.knownStartedAt == 9)
        let claim = Claim(nonce: request.nonce, epoch: 2, startedAt: 9)
        bench.handle(.reply(id, .granted(claim, milliseconds: 30_000, StorageContents(pointer: bench.member.pointer))))
        let encoded = bench.log.compactMap { effect -> (FleetMember.FetchID, String)? in
            if case .encode(let id, let revision) = effect { (id, revision) } else { nil }
        }
        let (encode, revision) = try #require(encoded.last)
        #expect(revision == "b")
        bench.handle(.fetched(encode, .catalogue(catalogue("b"))))
        #expect(bench.sent { $0 == .writeBlob(sha256: "sha-b") } != nil)
        #expect(bench.member.servesPin && bench.member.served?.revision == "a")
    }

    @Test func `a member that has nothing but the pinned catalogue fills no storage with it`() throws {
        let bench = MemberBench()
        let record = PinRecord(version: 7, pointer: pointer("a", at: 5), by: "operator", reason: nil)
        bench.handle(.pinned(record))
        bench.handle(.found(.init(revision: "a", startedAt: 5)))
        try bench.linked(StorageContents(now: 9))
        #expect(bench.member.servesPin)
        #expect(bench.sentAcquire(.refill) == nil)
    }

    @Test func `the end of a pin brings the newest back, also where the storage has an older one`() throws {
        let bench = try pinned()
        let off = PinRecord(version: 8, pointer: nil, by: "operator", reason: nil)
        try read(StorageContents(pointer: pointer("c", at: 7), pin: off), bench)
        #expect(bench.adopted == ["b"])
        #expect(bench.member.served?.startedAt == 9)
        #expect(readsBlob(pointer("c", at: 7), bench) == nil)
    }
}
