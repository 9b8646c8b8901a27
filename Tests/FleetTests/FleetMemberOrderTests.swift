import Testing

@testable import Fleet

/// Events that come late, twice or in another order than usual.
@Suite struct FleetMemberOrderTests {
    private func pointer(_ revision: String, at startedAt: Int, generation: Int = 1) -> CataloguePointer {
        CataloguePointer(
            generation: generation, revision: revision, epoch: 1, startedAt: startedAt, checkedAt: startedAt, count: 1,
            bytes: 3, sha256: "sha-\(revision)", writer: "other")
    }

    private func catalogue(_ revision: String) -> CommittedCatalogue {
        CommittedCatalogue(revision: revision, count: 1, bytes: 3, sha256: "sha-\(revision)", writer: "m")
    }

    /// A member that has read and adopted a catalogue from the storage.
    private func following(_ revision: String, at startedAt: Int) throws -> MemberBench {
        let bench = MemberBench()
        try bench.linked(StorageContents(pointer: pointer(revision, at: startedAt), epoch: 1, now: startedAt))
        try adopt(pointer(revision, at: startedAt), bench)
        bench.log = []
        return bench
    }

    private func adopt(_ pointer: CataloguePointer, _ bench: MemberBench) throws {
        bench.tell(.reply(try #require(readsBlob(pointer, bench)), .blob([1, 2, 3])))
        bench.tell(.examined(sha256: pointer.sha256, .good))
        #expect(bench.adopted.last == pointer.revision)
    }

    private func readsBlob(_ pointer: CataloguePointer, _ bench: MemberBench) -> Int? {
        bench.sent({ $0 == .readBlob(sha256: pointer.sha256, bytes: 3) }, within: .seconds(1))
    }

    private func announce(_ pointer: CataloguePointer, to bench: MemberBench, listeners: Int = 2) {
        bench.tell(.announced(.pointer(pointer, listeners: listeners)))
    }

    private func read(_ contents: StorageContents, _ bench: MemberBench) throws {
        bench.tell(.reply(try #require(bench.sentRead()), .contents(contents)))
    }

    private func weighings(_ bench: MemberBench) -> [FleetMember.FetchID] {
        bench.log.compactMap { if case .weigh(let id, _, _) = $0 { id } else { nil } }
    }

    /// Takes a member with the turn to the commit of `b`, and gives its claim and the number of the command.
    private func committing(_ bench: MemberBench) throws -> (Claim, Int) {
        let (claim, fetch) = try bench.granted(ask: 1)
        bench.tell(.fetched(fetch, .catalogue(catalogue("b"))))
        bench.tell(.reply(try #require(bench.sent { $0 == .writeBlob(sha256: "sha-b") }), .done))
        return (claim, try #require(bench.sent { if case .commit = $0 { true } else { false } }))
    }

    @Test func `a reply to a look from before an announcement is no loss, and another look follows`() throws {
        let bench = try following("a", at: 5)
        let look = try #require(bench.sentRead())
        bench.now += .milliseconds(1)
        announce(pointer("b", at: 9), to: bench)
        bench.tell(.reply(look, .contents(StorageContents(pointer: pointer("a", at: 5)))))
        #expect(bench.notes.isEmpty)
        #expect(bench.member.pointer == pointer("b", at: 9))
        #expect(bench.sent({ $0 == .read }, within: .seconds(1)) != nil)
    }

    @Test func `a storage that stays empty is lost once`() throws {
        let bench = try following("a", at: 5)
        for _ in 0..<3 { try read(StorageContents(), bench) }
        #expect(bench.notes == [.lost])
    }

    @Test func `a reply that took long sets no clock`() throws {
        let bench = try following("a", at: 5)
        let look = try #require(bench.sentRead())
        bench.now += .milliseconds(1_001)
        bench.tell(.wake)
        let clock = bench.member.clock
        bench.tell(.reply(look, .contents(StorageContents(pointer: pointer("a", at: 5), now: 900_000))))
        #expect(bench.member.clock == clock)
    }

    @Test func `an event that comes with an earlier time does not turn time back`() {
        let bench = MemberBench()
        bench.now = .seconds(10)
        bench.tell(.wake)
        let clock = bench.member.clock
        bench.now = .seconds(5)
        bench.tell(.wake)
        #expect(bench.member.clock == clock)
    }

    @Test func `of two catalogues of one time the storage's counts, and it is not written over`() throws {
        for isMissing in [false, true] {
            let bench = try following("a", at: 5)
            announce(pointer("b", at: 5, generation: 2), to: bench)
            guard isMissing else {
                try adopt(pointer("b", at: 5), bench)
                continue
            }
            bench.tell(.reply(try #require(readsBlob(pointer("b", at: 5), bench)), .blob(nil)))
            #expect(bench.sentAcquire(.refill) == nil)
        }
    }

    @Test func `an announcement of an earlier generation, or of numbers that none can be, changes nothing`() throws {
        let bench = try following("a", at: 5)
        announce(pointer("a", at: 5, generation: 3), to: bench)
        announce(pointer("a", at: 5, generation: 2), to: bench)
        #expect(bench.member.pointer?.generation == 3)
        announce(pointer("b", at: 1 << 60), to: bench)
        #expect(bench.member.pointer?.generation == 3)
    }

    @Test func `a blob that was missing is read at once when its catalogue was written again`() throws {
        let bench = try following("a", at: 5)
        announce(pointer("b", at: 9, generation: 2), to: bench)
        bench.tell(.reply(try #require(readsBlob(pointer("b", at: 9), bench)), .blob(nil)))
        #expect(readsBlob(pointer("b", at: 9), bench) == nil)
        announce(pointer("b", at: 9, generation: 3), to: bench)
        try adopt(pointer("b", at: 9), bench)
    }

    @Test(arguments: [[1], [1, 2, 3, 4]] as [[UInt8]])
    func `a blob of another length is not even decoded`(bytes: [UInt8]) throws {
        let bench = try following("a", at: 5)
        announce(pointer("b", at: 9), to: bench)
        bench.tell(.reply(try #require(readsBlob(pointer("b", at: 9), bench)), .blob(bytes)))
        #expect(!bench.log.contains { if case .examine = $0 { true } else { false } })
        #expect(bench.notes == [.read("damaged")])
    }

    @Test func `what was read before a pin does not replace the pinned catalogue`() throws {
        let bench = try following("a", at: 5)
        announce(pointer("b", at: 9), to: bench)
        bench.tell(.reply(try #require(readsBlob(pointer("b", at: 9), bench)), .blob([1, 2, 3])))
        bench.tell(.pinned(PinRecord(version: 7, pointer: pointer("a", at: 5), by: "operator", reason: nil)))
        bench.tell(.examined(sha256: "sha-b", .good))
        #expect(!bench.adopted.contains("b"))
        #expect(bench.member.held?.revision == "a" && bench.member.isGivenPinned)
    }

    @Test func `a pin of what is given leaves its time, and an older order changes nothing`() throws {
        let bench = try following("a", at: 9)
        let record = PinRecord(version: 7, pointer: pointer("a", at: 5), by: "operator", reason: nil)
        bench.tell(.pinned(record))
        #expect(bench.member.held == FleetMember.HeldCatalogue(revision: "a", startedAt: 9))
        let older = PinRecord(version: 6, pointer: nil, by: "another", reason: nil)
        bench.tell(.pinned(older))
        #expect(bench.member.pin == record)
        try read(StorageContents(pointer: pointer("a", at: 9), pin: older), bench)
        #expect(bench.member.pin == record)
    }

    @Test func `a disk's word about the catalogue that the storage has does not make it newer`() throws {
        let bench = try following("a", at: 5)
        bench.tell(.found(.init(revision: "a", startedAt: 300)))
        #expect(bench.member.held?.startedAt == 5)
    }

    @Test func `a catalogue that cannot be used is asked for as one that is there`() throws {
        let bench = try following("a", at: 5)
        announce(pointer("b", at: 9), to: bench)
        bench.tell(.reply(try #require(readsBlob(pointer("b", at: 9), bench)), .blob(nil)))
        bench.tell(.asked(1, isForced: false))
        #expect(bench.sentAcquire(.refresh)?.1.heldStartedAt == 9)
    }

    @Test func `a member alone in its fleet does not abstain`() throws {
        let bench = try following("a", at: 5)
        announce(pointer("a", at: 5), to: bench, listeners: 1)
        let (_, fetch) = try bench.granted(ask: 1)
        bench.tell(.fetched(fetch, .failed(.unreachable)))
        bench.tell(.asked(2, isForced: false))
        #expect(bench.answers == [.failed])
        #expect(bench.sentAcquire(.refresh) != nil)
    }

    @Test func `a turn for another catalogue than the held one is let go`() throws {
        let bench = try following("a", at: 5)
        try read(StorageContents(), bench)
        let (id, request) = try #require(bench.sentAcquire(.refill))
        let claim = Claim(nonce: request.nonce, epoch: 2, startedAt: 4)
        bench.tell(.reply(id, .granted(claim, milliseconds: 30_000, StorageContents())))
        #expect(bench.sent { $0 == .release(nonce: request.nonce, .unused) } != nil)
        #expect(!bench.log.contains { if case .encode = $0 { true } else { false } })
    }

    @Test(arguments: [true, false])
    func `an own catalogue does not replace a newer one, whether or not it was committed`(isCommitted: Bool) throws {
        let bench = try following("a", at: 5)
        let (claim, commit) = try committing(bench)
        let newer = pointer("c", at: claim.startedAt + 1)
        announce(newer, to: bench)
        try adopt(newer, bench)
        bench.tell(
            isCommitted
                ? .reply(commit, .committed(pointer("b", at: claim.startedAt))) : .failed(commit, .silent))
        #expect(bench.member.held?.revision == "c")
        #expect(bench.adopted == ["c"])
    }

    @Test func `a blob that is missing at the commit is written again once`() throws {
        let bench = try following("a", at: 5)
        var (_, commit) = try committing(bench)
        bench.tell(.reply(commit, .missing))
        #expect(bench.notes.isEmpty)
        bench.tell(.reply(try #require(bench.sent { $0 == .writeBlob(sha256: "sha-b") }), .done))
        commit = try #require(bench.sent { if case .commit = $0 { true } else { false } })
        bench.tell(.reply(commit, .missing))
        #expect(bench.notes == [.commit("missing"), .commit("failed")])
    }

    @Test func `a storage that is back is filled once it was read, and not before`() throws {
        let bench = try following("a", at: 5)
        bench.tell(.link(isUp: false))
        bench.tell(.asked(1, isForced: false))
        bench.tell(.fetched(try #require(bench.member.turns.alone?.id), .catalogue(catalogue("b"))))
        bench.tell(.link(isUp: true))
        let look = try #require(bench.sentRead())
        bench.now += .seconds(1)
        bench.tell(.wake)
        #expect(weighings(bench).isEmpty)
        bench.tell(.reply(look, .contents(StorageContents(pointer: pointer("a", at: 5)))))
        _ = bench.sent({ _ in false }, within: .seconds(1))
        bench.tell(.weighed(try #require(weighings(bench).last), .passes))
        #expect(bench.sentAcquire(.refill) != nil)
    }

    /// A member that has `a`, was alone for a while, and has `b` by now, while the storage has `a`: it compares the two.
    private func comparing() throws -> (MemberBench, FleetMember.FetchID) {
        let bench = try following("a", at: 5)
        bench.tell(.link(isUp: false))
        bench.tell(.asked(1, isForced: false))
        bench.tell(.fetched(try #require(bench.member.turns.alone?.id), .catalogue(catalogue("b"))))
        try bench.linked(StorageContents(pointer: pointer("a", at: 5), now: bench.member.clock))
        _ = bench.sent({ _ in false }, within: .seconds(1))
        return (bench, try #require(weighings(bench).last))
    }

    @Test(arguments: [FleetMember.Weight.passes, .refused])
    func `the result of a comparison says nothing about what is held by then`(weight: FleetMember.Weight) throws {
        let (bench, weighing) = try comparing()
        let newer = pointer("c", at: bench.member.clock + 5)
        announce(newer, to: bench)
        try adopt(newer, bench)
        bench.log = []
        try read(StorageContents(pointer: pointer("d", at: 6), now: bench.member.clock), bench)
        bench.tell(.weighed(weighing, weight))
        #expect(bench.member.held?.startedAt == newer.startedAt)
        #expect(bench.sent({ if case .acquire = $0 { true } else { false } }, within: .zero) == nil)
        #expect(bench.member.repair.weighed == nil)
    }

    /// A member that gives `a` by a pin and has `b` whole, which is newer.
    private func pinned() throws -> MemberBench {
        let bench = try following("a", at: 5)
        announce(pointer("b", at: 9, generation: 2), to: bench)
        try adopt(pointer("b", at: 9), bench)
        bench.tell(.pinned(PinRecord(version: 7, pointer: pointer("a", at: 5), by: "operator", reason: nil)))
        let read = try #require(readsBlob(pointer("a", at: 5), bench))
        bench.tell(.reply(read, .blob([1, 2, 3])))
        bench.tell(.examined(sha256: "sha-a", .good))
        #expect(bench.member.isGivenPinned && bench.member.held?.revision == "a")
        bench.log = []
        return bench
    }

    @Test(arguments: [true, false])
    func `a storage that loses its catalogue under a pin gets the newest again`(isEmpty: Bool) throws {
        let bench = try pinned()
        try read(StorageContents(pointer: isEmpty ? nil : pointer("0", at: 3)), bench)
        if !isEmpty {
            _ = bench.sent({ _ in false }, within: .seconds(1))
            bench.tell(.weighed(try #require(weighings(bench).last), .passes))
        }
        let (id, request) = try #require(bench.sentAcquire(.refill))
        #expect(request.heldStartedAt == 9)
        let claim = Claim(nonce: request.nonce, epoch: 2, startedAt: 9)
        bench.tell(.reply(id, .granted(claim, milliseconds: 30_000, StorageContents(pointer: bench.member.pointer))))
        let encoded = bench.log.compactMap { effect -> (FleetMember.FetchID, String)? in
            if case .encode(let id, let revision) = effect { (id, revision) } else { nil }
        }
        let (encode, revision) = try #require(encoded.last)
        #expect(revision == "b")
        bench.tell(.fetched(encode, .catalogue(catalogue("b"))))
        #expect(bench.sent { $0 == .writeBlob(sha256: "sha-b") } != nil)
        #expect(bench.member.isGivenPinned && bench.member.held?.revision == "a")
    }

    @Test func `a member that has nothing but the pinned catalogue fills no storage with it`() throws {
        let bench = MemberBench()
        let record = PinRecord(version: 7, pointer: pointer("a", at: 5), by: "operator", reason: nil)
        bench.tell(.pinned(record))
        bench.tell(.found(.init(revision: "a", startedAt: 5)))
        try bench.linked(StorageContents(now: 9))
        #expect(bench.member.isGivenPinned)
        #expect(bench.sentAcquire(.refill) == nil)
    }

    @Test func `the end of a pin brings the newest back, also where the storage has an older one`() throws {
        let bench = try pinned()
        let off = PinRecord(version: 8, pointer: nil, by: "operator", reason: nil)
        try read(StorageContents(pointer: pointer("c", at: 7), pin: off), bench)
        #expect(bench.adopted == ["b"])
        #expect(bench.member.held?.startedAt == 9)
        #expect(readsBlob(pointer("c", at: 7), bench) == nil)
    }
}
