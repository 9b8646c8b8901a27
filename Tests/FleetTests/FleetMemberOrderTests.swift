import Testing

@testable import Fleet

/// Events that come late, twice or in another order than usual.
@Suite struct FleetMemberOrderTests: MemberSuite {
    /// Takes a member with the turn to the commit of `b`, and gives its claim and the number of the command.
    private func committing(_ bench: MemberBench) throws -> (Claim, Int) {
        let (claim, fetch) = try bench.granted(ask: 1)
        bench.handle(.fetched(fetch, .catalogue(catalogue("b"))))
        bench.handle(.reply(try #require(bench.sent { $0 == .writeBlob(sha256: "sha-b") }), .done))
        return (claim, try #require(bench.sent { if case .commit = $0 { true } else { false } }))
    }

    @Test func `a reply to a look from before an announcement is no loss, and another look follows`() throws {
        let bench = try following("a", at: 5)
        let look = try #require(bench.sentRead())
        bench.now += .milliseconds(1)
        announce(pointer("b", at: 9), to: bench)
        bench.handle(.reply(look, .contents(StorageContents(pointer: pointer("a", at: 5)))))
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
        bench.handle(.wake)
        let clock = bench.member.clock
        bench.handle(.reply(look, .contents(StorageContents(pointer: pointer("a", at: 5), now: 900_000))))
        #expect(bench.member.clock == clock)
    }

    @Test func `a reply to a command of the driver sets the clock, and dates what was found before`() {
        let bench = MemberBench()
        bench.handle(.found(.init(revision: "disk", startedAt: 0, begun: .seconds(-2))))
        bench.member.learnClock(5_000, sentAt: .zero, at: .milliseconds(200))
        #expect(bench.member.storageTime(at: .seconds(1)) == 5_900)
        #expect(bench.member.served?.startedAt == 2_900)
    }

    @Test func `an event that comes with an earlier time does not turn time back`() {
        let bench = MemberBench()
        bench.now = .seconds(10)
        bench.handle(.wake)
        let clock = bench.member.clock
        bench.now = .seconds(5)
        bench.handle(.wake)
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
            bench.handle(.reply(try #require(readsBlob(pointer("b", at: 5), bench)), .blob(nil)))
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
        bench.handle(.reply(try #require(readsBlob(pointer("b", at: 9), bench)), .blob(nil)))
        #expect(readsBlob(pointer("b", at: 9), bench) == nil)
        announce(pointer("b", at: 9, generation: 3), to: bench)
        try adopt(pointer("b", at: 9), bench)
    }

    @Test(arguments: [[1], [1, 2, 3, 4]] as [[UInt8]])
    func `a blob of another length is not even decoded`(bytes: [UInt8]) throws {
        let bench = try following("a", at: 5)
        announce(pointer("b", at: 9), to: bench)
        bench.handle(.reply(try #require(readsBlob(pointer("b", at: 9), bench)), .blob(bytes)))
        #expect(!bench.log.contains { if case .examine = $0 { true } else { false } })
        #expect(bench.notes == [.read("damaged")])
    }

    @Test func `what was read before a pin does not replace the pinned catalogue`() throws {
        let bench = try following("a", at: 5)
        announce(pointer("b", at: 9), to: bench)
        bench.handle(.reply(try #require(readsBlob(pointer("b", at: 9), bench)), .blob([1, 2, 3])))
        bench.handle(.pinned(PinRecord(version: 7, pointer: pointer("a", at: 5), by: "operator", reason: nil)))
        bench.handle(.examined(sha256: "sha-b", .good))
        #expect(!bench.adopted.contains("b"))
        #expect(bench.member.served?.revision == "a" && bench.member.servesPin)
    }

    @Test func `a pin of what is given leaves its time, and an older order changes nothing`() throws {
        let bench = try following("a", at: 9)
        let record = PinRecord(version: 7, pointer: pointer("a", at: 5), by: "operator", reason: nil)
        bench.handle(.pinned(record))
        #expect(bench.member.served == FleetMember.PlacedCatalogue(revision: "a", startedAt: 9))
        let older = PinRecord(version: 6, pointer: nil, by: "another", reason: nil)
        bench.handle(.pinned(older))
        #expect(bench.member.pin == record)
        try read(StorageContents(pointer: pointer("a", at: 9), pin: older), bench)
        #expect(bench.member.pin == record)
    }

    @Test func `a disk's word about the catalogue that the storage has does not make it newer`() throws {
        let bench = try following("a", at: 5)
        bench.handle(.found(.init(revision: "a", startedAt: 300)))
        #expect(bench.member.served?.startedAt == 5)
    }

    @Test func `a catalogue that cannot be used is asked for as one that is there`() throws {
        let bench = try following("a", at: 5)
        announce(pointer("b", at: 9), to: bench)
        bench.handle(.reply(try #require(readsBlob(pointer("b", at: 9), bench)), .blob(nil)))
        bench.handle(.asked(1, isForced: false))
        #expect(bench.sentAcquire(.refresh)?.1.knownStartedAt == 9)
    }

    @Test func `a member alone in its fleet does not abstain`() throws {
        let bench = try following("a", at: 5)
        announce(pointer("a", at: 5), to: bench, listeners: 1)
        let (_, fetch) = try bench.granted(ask: 1)
        bench.handle(.fetched(fetch, .failed(.unreachable)))
        bench.handle(.asked(2, isForced: false))
        #expect(bench.answers == [.failed])
        #expect(bench.sentAcquire(.refresh) != nil)
    }

    @Test func `a turn for another catalogue than the served one is let go`() throws {
        let bench = try following("a", at: 5)
        try read(StorageContents(), bench)
        let (id, request) = try #require(bench.sentAcquire(.refill))
        let claim = Claim(nonce: request.nonce, epoch: 2, startedAt: 4)
        bench.handle(.reply(id, .granted(claim, milliseconds: 30_000, StorageContents())))
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
        bench.handle(
            isCommitted
                ? .reply(commit, .committed(pointer("b", at: claim.startedAt))) : .failed(commit, .silent))
        #expect(bench.member.served?.revision == "c")
        #expect(bench.adopted == ["c"])
    }

    /// The ends of orders: the storage's reply or fault, by the number of the order.
    private func ends(_ bench: MemberBench) -> [Int: StorageFault?] {
        bench.log.reduce(into: [:]) { ends, effect in
            if case .carriedOut(let id, let fault) = effect { ends[id] = .some(fault) }
        }
    }

    @Test func `an order to accept is about the current catalogue, ends once, and is followed by a look`() throws {
        let bench = try following("a", at: 5)
        bench.handle(.accepting(7, revision: "bad"))
        let command = try #require(bench.sent { $0 == .accept(revision: "bad", replacing: "a") })
        #expect(ends(bench).isEmpty)
        bench.handle(.reply(command, .done))
        bench.handle(.reply(command, .done))
        #expect(ends(bench) == [7: nil])
        #expect(bench.sent({ $0 == .read }, within: .seconds(1)) != nil)
    }

    @Test func `an order to accept ends with the fault of the storage, or of the way to it`() throws {
        let bench = MemberBench()
        bench.handle(.accepting(1, revision: "bad"))
        #expect(ends(bench) == [1: .silent])
        try bench.linked(StorageContents())
        for id in 2...4 { bench.handle(.accepting(id, revision: "bad")) }
        let isOrder = { (command: StorageCommand) in command == .accept(revision: "bad", replacing: nil) }
        bench.handle(.reply(try #require(bench.sent(isOrder)), .fenced))
        bench.handle(.failed(try #require(bench.sent(isOrder)), .readOnly))
        bench.handle(.link(isUp: false))
        #expect(
            ends(bench) == [
                1: .silent, 2: .refused("another catalogue has become current meanwhile"), 3: .readOnly, 4: .silent,
            ])
    }

    @Test func `a blob that is missing at the commit is written again once`() throws {
        let bench = try following("a", at: 5)
        var (_, commit) = try committing(bench)
        bench.handle(.reply(commit, .missing))
        #expect(bench.notes.isEmpty)
        bench.handle(.reply(try #require(bench.sent { $0 == .writeBlob(sha256: "sha-b") }), .done))
        commit = try #require(bench.sent { if case .commit = $0 { true } else { false } })
        bench.handle(.reply(commit, .missing))
        #expect(bench.notes == [.commit("missing"), .commit("failed")])
    }
}
