import Testing

@testable import Fleet

/// One member, given events by hand; each test is a row of what a shared store promises.
@Suite struct FleetMemberTests: MemberSuite {
    @Test func `a storage that is down at the start delays the first fetch by a second`() {
        let bench = MemberBench()
        bench.handle(.asked(1, isForced: false))
        #expect(bench.fetches.isEmpty)
        #expect(bench.member.nextWake == .seconds(1))
        bench.now = .seconds(1)
        bench.handle(.wake)
        #expect(bench.fetches == [nil])
    }

    @Test func `a storage that goes down later leaves each member to itself, or holds it`() throws {
        let bench = try following("a", at: 5)
        bench.handle(.link(isUp: false))
        bench.handle(.asked(1, isForced: false))
        bench.handle(.asked(2, isForced: false))
        #expect(bench.fetches == [nil])
        bench.handle(.fetched(try #require(bench.member.turns.alone?.id), .catalogue(catalogue("b"))))
        #expect(bench.adopted == ["b"])
        #expect(bench.answers == [.served, .served])

        let holding = MemberBench(.hold)
        holding.handle(.found(.init(revision: "a", startedAt: 5)))
        holding.handle(.link(isUp: true))
        holding.handle(.link(isUp: false))
        holding.handle(.asked(1, isForced: false))
        #expect(holding.answers == [.unavailable])
        let empty = MemberBench(.hold)
        empty.handle(.link(isUp: true))
        empty.handle(.link(isUp: false))
        empty.handle(.asked(1, isForced: false))
        #expect(empty.fetches == [nil])
    }

    @Test func `a hung storage counts as down after a second a command and five a blob`() throws {
        let bench = try following("a", at: 5)
        let effects = bench.handle(.asked(1, isForced: false))
        let limits = effects.compactMap { if case .send(_, _, let limit) = $0 { limit } else { nil } }
        #expect(limits == [.seconds(1)])
        let (id, _) = try #require(bench.sentAcquire(.refresh))
        bench.handle(.failed(id, .silent))
        #expect(bench.fetches == [nil])
        bench.handle(.announced(.pointer(pointer("b", at: 9), listeners: 0)))
        let blob = bench.log.compactMap { effect -> Duration? in
            if case .send(_, .readBlob, let limit) = effect { limit } else { nil }
        }
        #expect(blob == [.seconds(5)])
    }

    @Test func `a stale writer is fenced, counted, and reads what the others have`() throws {
        let bench = try following("a", at: 5)
        let (_, fetch) = try bench.granted(ask: 1)
        bench.handle(.fetched(fetch, .catalogue(catalogue("b"))))
        bench.handle(.reply(try #require(bench.sent { $0 == .writeBlob(sha256: "sha-b") }), .done))
        let commit = try #require(bench.sent { if case .commit = $0 { true } else { false } })
        bench.handle(.reply(commit, .fenced))
        #expect(bench.notes == [.commit("fenced")])
        #expect(bench.adopted.isEmpty)
        #expect(bench.sentRead() != nil)
        #expect(bench.answers.isEmpty)
        bench.handle(.announced(.pointer(pointer("c", at: 400), listeners: 1)))
        try adopt(pointer("c", at: 400), bench)
        #expect(bench.answers == [.served])
    }

    @Test func `an order that supersedes a refresh is answered by none that began before it`() throws {
        let bench = try following("a", at: 1_000)
        let (_, fetch) = try bench.granted(ask: 1)
        bench.now += .seconds(1)
        let ordered = 1_000 + 1_000
        bench.handle(.asked(2, isForced: false, isAnew: true))
        bench.handle(.asked(3, isForced: false))
        bench.handle(.fetched(fetch, .failed(.unused)))
        #expect(bench.answers == [.failed, .failed], "the third has joined the first, and the second has not")
        let (id, request) = try #require(bench.sentAcquire(.refresh))
        #expect(request.knownStartedAt >= ordered && !request.isForced)
        bench.handle(.reply(id, .taken(milliseconds: 30_000)))
        bench.log = []
        bench.handle(.announced(.pointer(pointer("b", at: ordered - 500), listeners: 0)))
        try adopt(pointer("b", at: ordered - 500), bench)
        #expect(bench.answers.isEmpty, "another member's refresh began too early")
        bench.handle(.announced(.pointer(pointer("c", at: request.knownStartedAt + 5), listeners: 0)))
        try adopt(pointer("c", at: request.knownStartedAt + 5), bench)
        #expect(bench.answers == [.served])
    }

    @Test func `the catalogue from before the start answers nobody, unless the storage has it`() throws {
        let bench = MemberBench()
        bench.handle(.asked(1, isForced: false))
        bench.handle(.found(.init(revision: "disk", startedAt: 300)))
        #expect(bench.answers.isEmpty)
        try bench.linked(StorageContents(pointer: pointer("disk", at: 200), epoch: 1, now: 600))
        #expect(bench.answers == [.served])
        #expect(bench.fetches.isEmpty)
        #expect(bench.log.contains { if case .confirm = $0 { true } else { false } })

        let other = MemberBench()
        other.handle(.asked(1, isForced: false))
        other.handle(.found(.init(revision: "disk", startedAt: 300)))
        try other.linked(StorageContents(pointer: nil, epoch: 1, now: 600))
        #expect(other.answers.isEmpty)
        #expect(other.sentAcquire(.refresh)?.1.knownStartedAt == 300)
    }

    @Test func `the time of the catalogue from before the start is put right when the storage's clock is known`() throws
    {
        let bench = MemberBench()
        bench.handle(.found(.init(revision: "disk", startedAt: 900)))
        bench.handle(.found(.init(revision: "disk", startedAt: 300)))
        #expect(bench.member.served?.startedAt == 300)
        try bench.linked(StorageContents(pointer: pointer("a", at: 500), epoch: 1, now: 600))
        try adopt(pointer("a", at: 500), bench)
        bench.handle(.found(.init(revision: "disk", startedAt: 400)))
        #expect(bench.member.served?.revision == "a")
    }

    @Test func `a turn that is over before its grant is heard is let go`() throws {
        let bench = try following("a", at: 5)
        bench.handle(.asked(1, isForced: false))
        let (id, request) = try #require(bench.sentAcquire(.refresh))
        bench.now += .seconds(31)
        let claim = Claim(nonce: request.nonce, epoch: 2, startedAt: 50)
        bench.handle(.reply(id, .granted(claim, milliseconds: 30_000, StorageContents(pointer: pointer("a", at: 5)))))
        #expect(bench.fetches.isEmpty)
        #expect(bench.sent { $0 == .release(nonce: request.nonce, .unused) } != nil)
    }

    @Test func `a holder without a way to the upstream lets go and abstains`() throws {
        let bench = try following("a", at: 5)
        let (claim, fetch) = try bench.granted(ask: 1)
        bench.handle(.fetched(fetch, .failed(.unreachable)))
        #expect(bench.sent { $0 == .release(nonce: claim.nonce, .unreachable) } != nil)
        bench.handle(.asked(2, isForced: false))
        #expect(bench.answers == [.failed, .paused(.seconds(2))])
        bench.handle(.asked(3, isForced: true))
        #expect(bench.sentAcquire(.refresh)?.1.isForced == true)
    }

    @Test func `a deaf follower is repaired by the poll`() throws {
        let bench = try following("a", at: 5)
        let start = bench.now
        let read = try #require(bench.sentRead())
        #expect(bench.now - start <= .seconds(12) && bench.now - start >= .seconds(7))
        bench.handle(.reply(read, .contents(StorageContents(pointer: pointer("b", at: 9)))))
        try adopt(pointer("b", at: 9), bench)
    }

    @Test(arguments: [nil, [1], [1, 2, 3, 4], [9, 9, 9]] as [[UInt8]?])
    func `a damaged blob is refused, counted once, reported, and the own one kept`(bytes: [UInt8]?) throws {
        let bench = try following("a", at: 5)
        bench.handle(.announced(.pointer(pointer("b", at: 9), listeners: 0)))
        for _ in 0..<2 {
            let read = try #require(bench.sent { if case .readBlob("sha-b", _) = $0 { true } else { false } })
            bench.handle(.reply(read, .blob(bytes)))
            bench.handle(.examined(sha256: "sha-b", .damaged))
            #expect(bench.sent { $0 == .reportDamage(sha256: "sha-b") } != nil)
            let look = try #require(bench.sentRead())
            bench.handle(.reply(look, .contents(StorageContents(pointer: pointer("b", at: 9)))))
        }
        #expect(bench.notes == [.read(bytes == nil ? "missing" : "damaged")])
        #expect(bench.adopted.isEmpty)
    }

    @Test func `a huge blob is not read`() throws {
        let bench = MemberBench(maxBytes: 2)
        try bench.linked(StorageContents(pointer: pointer("b", at: 9)))
        #expect(bench.sent { if case .readBlob = $0 { true } else { false } } == nil)
        #expect(bench.notes == [.read("too_large")])
    }

    @Test(arguments: [true, false])
    func `a member that holds it whole writes it again when it is damaged or lost`(isDamaged: Bool) throws {
        let bench = try following("a", at: 5)
        if isDamaged {
            bench.handle(.announced(.damaged(sha256: "sha-a")))
        } else {
            bench.handle(.reply(try #require(bench.sentRead()), .contents(StorageContents())))
            #expect(bench.notes == [.lost])
        }
        let (id, request) = try #require(bench.sentAcquire(.refill))
        #expect(request.knownStartedAt == 5)
        let claim = Claim(nonce: request.nonce, epoch: 2, startedAt: 5)
        bench.handle(.reply(id, .granted(claim, milliseconds: 30_000, StorageContents())))
        let encode = try #require(bench.log.compactMap { if case .encode(let id, _) = $0 { id } else { nil } }.last)
        bench.handle(.fetched(encode, .catalogue(catalogue("a"))))
        bench.handle(.reply(try #require(bench.sent { $0 == .writeBlob(sha256: "sha-a") }), .done))
        let commit = try #require(bench.sent { $0 == .commit(claim, catalogue("a")) })
        bench.handle(.reply(commit, .committed(pointer("a", at: 5, generation: 2))))
        #expect(bench.sentAcquire(.refill) == nil)
        #expect(bench.fetches.isEmpty)
    }

    @Test func `a full storage leaves each member to itself`() throws {
        let bench = try following("a", at: 5)
        bench.handle(.asked(1, isForced: false))
        let (id, _) = try #require(bench.sentAcquire(.refresh))
        bench.handle(.failed(id, .readOnly))
        #expect(bench.fetches == [nil])
    }

    @Test func `a fleet that starts at once reads the storage and not the upstream`() throws {
        let bench = MemberBench()
        bench.handle(.found(.init(revision: "a", startedAt: 5)))
        bench.handle(.asked(1, isForced: false))
        try bench.linked(StorageContents(pointer: pointer("a", at: 5)))
        #expect(bench.answers == [.served])
        bench.handle(.asked(2, isForced: false))
        #expect(bench.sentAcquire(.refresh) != nil)
    }

    @Test func `nothing older is adopted`() throws {
        let bench = try following("b", at: 9)
        bench.handle(.announced(.pointer(pointer("a", at: 5), listeners: 1)))
        bench.handle(.reply(try #require(bench.sentRead()), .contents(StorageContents(pointer: pointer("a", at: 5)))))
        #expect(bench.sent({ if case .readBlob = $0 { true } else { false } }, within: .seconds(1)) == nil)
        #expect(bench.member.served?.revision == "b")
    }

    @Test func `a pin is obeyed, given back to a storage that lost it, and taken off`() throws {
        let bench = try following("b", at: 9)
        let record = PinRecord(version: 7, pointer: pointer("a", at: 5), by: "operator", reason: nil)
        bench.handle(.pinned(record))
        #expect(bench.sent { $0 == .pin(record) } != nil)
        try adopt(pointer("a", at: 5), bench)
        #expect(bench.member.servesPin)
        bench.handle(.reply(try #require(bench.sentRead()), .contents(StorageContents(pointer: pointer("b", at: 9)))))
        #expect(bench.sent { $0 == .pin(record) } != nil)
        let off = PinRecord(version: 8, pointer: nil, by: "operator", reason: nil)
        bench.handle(
            .reply(try #require(bench.sentRead()), .contents(StorageContents(pointer: pointer("b", at: 9), pin: off))))
        #expect(bench.adopted.last == "b", "it is still there, and need not be read")
    }

    @Test func `the same catalogue is confirmed without its blob`() throws {
        let bench = try following("a", at: 5)
        let (claim, fetch) = try bench.granted(ask: 1)
        bench.handle(.fetched(fetch, .catalogue(catalogue("a"))))
        let confirm = try #require(bench.sent { $0 == .confirm(claim, revision: "a") })
        bench.handle(.reply(confirm, .committed(pointer("a", at: claim.startedAt))))
        #expect(bench.member.served?.startedAt == claim.startedAt)
        #expect(bench.notes == [.commit("confirmed")])
        #expect(bench.answers == [.served])
    }

    @Test func `a revision that an operator lets through is told to the gate once`() throws {
        let bench = try following("a", at: 5)
        for _ in 0..<2 {
            let contents = StorageContents(pointer: pointer("a", at: 5), accepted: "b")
            bench.handle(.reply(try #require(bench.sentRead()), .contents(contents)))
        }
        let accepted = bench.log.compactMap { if case .accept(let revision) = $0 { revision } else { nil } }
        #expect(accepted == ["b"])
    }
}
