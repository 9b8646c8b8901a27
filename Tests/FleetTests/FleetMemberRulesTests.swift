import Testing

@testable import Fleet

/// One member, given events by hand: turns that last, times that are none, and what may take the place of what.
@Suite struct FleetMemberRulesTests: MemberSuite {
    private func weigh(_ bench: MemberBench) throws -> FleetMember.FetchID {
        let end = bench.now + .seconds(15)
        while true {
            if let id = weighings(bench).last { return id }
            let wake = try #require(bench.member.nextWake)
            try #require(wake <= end)
            bench.now = max(bench.now, wake)
            bench.handle(.wake)
        }
    }

    @Test func `a turn is prolonged while its refresh goes on, for ten times its length`() throws {
        let bench = try following("a", at: 5)
        let (claim, fetch) = try bench.granted(ask: 1)
        let start = bench.now
        var renewals = 0
        while let id = bench.sent({ $0 == .renew(claim, milliseconds: 30_000) }, within: .seconds(11)) {
            bench.handle(.reply(id, .done))
            renewals += 1
        }
        #expect(renewals == 29 && bench.now - start <= .seconds(300))
        bench.handle(.fetched(fetch, .catalogue(catalogue("b"))))
        #expect(bench.sent { $0 == .writeBlob(sha256: "sha-b") } != nil)
    }

    @Test func `an operator who insists gets past hold`() throws {
        let bench = MemberBench(.hold)
        bench.handle(.found(.init(revision: "a", startedAt: 5)))
        bench.handle(.link(isUp: true))
        bench.handle(.link(isUp: false))
        bench.handle(.asked(1, isForced: false))
        #expect(bench.answers == [.unavailable] && bench.fetches.isEmpty)
        bench.handle(.asked(2, isForced: true))
        #expect(bench.fetches == [nil])
        bench.handle(.fetched(try #require(bench.member.turns.alone?.id), .catalogue(catalogue("b"))))
        #expect(bench.adopted.last == "b" && bench.answers == [.unavailable, .served])
    }

    @Test func `what was fetched alone takes the place of the storage's only if it passes the gate beside it`() throws {
        for passes in [true, false] {
            let bench = MemberBench()
            bench.handle(.asked(1, isForced: false))
            bench.now = .seconds(1)
            bench.handle(.wake)
            bench.handle(.fetched(try #require(bench.member.turns.alone?.id), .catalogue(catalogue("part"))))
            bench.now = .seconds(5)
            bench.handle(.link(isUp: true))
            let read = try #require(bench.sentRead())
            bench.handle(
                .reply(read, .contents(StorageContents(pointer: pointer("whole", at: 500), epoch: 1, now: 9_000))))
            bench.handle(.weighed(try weigh(bench), passes ? .passes : .refused))
            if passes {
                #expect(bench.sentAcquire(.refill) != nil)
            } else {
                #expect(bench.sent { $0 == .readBlob(sha256: "sha-whole", bytes: 3) } != nil)
                #expect(bench.sentAcquire(.refill) == nil)
            }
        }
    }

    @Test func `a refresh that was not compared with the storage's catalogue is, before it is committed`() throws {
        let bench = try following("a", at: 5)
        bench.handle(.announced(.pointer(pointer("b", at: 9), listeners: 0)))
        let read = try #require(bench.sent { if case .readBlob("sha-b", _) = $0 { true } else { false } })
        bench.handle(.reply(read, .blob([1, 2, 3])))
        bench.handle(.examined(sha256: "sha-b", .refused))
        let (claim, fetch) = try bench.granted(ask: 1)
        bench.handle(.fetched(fetch, .catalogue(catalogue("part"))))
        #expect(bench.sent({ if case .writeBlob = $0 { true } else { false } }, within: .zero) == nil)
        bench.handle(.weighed(try weigh(bench), .refused))
        #expect(bench.sent { $0 == .release(nonce: claim.nonce, .failed(refused: "part")) } != nil)
        #expect(bench.answers == [.failed])
    }

    @Test func `what may be of another configuration never goes into the storage`() throws {
        let bench = MemberBench()
        bench.handle(.found(.init(revision: "a", startedAt: 500, isForeign: true)))
        try bench.linked(StorageContents(pointer: pointer("b", at: 300), epoch: 1, now: 600))
        #expect(bench.sentAcquire(.refill) == nil)
        #expect(bench.member.served?.revision == "a", "the older one does not take its place")
        bench.handle(
            .reply(try #require(bench.sentRead()), .contents(StorageContents(pointer: nil, epoch: 1, now: 600))))
        #expect(bench.sentAcquire(.refill) == nil)
    }

    @Test func `a find from before the storage's clock is known is put right by the time since`() throws {
        let bench = MemberBench()
        bench.handle(.asked(1, isForced: false))
        bench.now = .seconds(1)
        bench.handle(.wake)
        bench.handle(.fetched(try #require(bench.member.turns.alone?.id), .catalogue(catalogue("a"))))
        #expect(bench.member.served?.startedAt == 1_001_000)
        bench.now = .seconds(11)
        try bench.linked(StorageContents(epoch: 1, now: 50_000))
        #expect(bench.member.served?.startedAt == 40_000)
    }

    @Test func `an older catalogue of the storage is not taken for the one from before the start`() throws {
        let bench = MemberBench()
        bench.handle(.found(.init(revision: "a", startedAt: 200)))
        bench.handle(.asked(1, isForced: false))
        try bench.linked(StorageContents(pointer: pointer("b", at: 100), epoch: 1, now: 300))
        let isConfirmed = bench.log.contains { if case .confirm = $0 { true } else { false } }
        #expect(!isConfirmed)
        #expect(bench.sentAcquire(.refresh) != nil)
    }

    @Test func `a time that is days ahead is none`() throws {
        let bench = try following("a", at: 5_000)
        let forged = pointer("forged", at: 8_999_999_999_999)
        bench.handle(
            .reply(try #require(bench.sentRead()), .contents(StorageContents(pointer: forged, epoch: 1, now: 6_000))))
        #expect(bench.sent({ if case .readBlob = $0 { true } else { false } }, within: .seconds(1)) == nil)
        #expect(bench.member.served?.revision == "a" && bench.notes == [.lost])
        bench.handle(.asked(1, isForced: false))
        #expect(bench.sentAcquire(.refresh)?.1.knownStartedAt == 5_000)
    }

    @Test func `an announcement with numbers that are none takes no known catalogue away`() throws {
        let bench = try following("a", at: 5)
        for forged in [pointer("b", at: 9, bytes: -1), pointer("b", at: 9, generation: 1 << 52)] {
            announce(forged, to: bench)
            #expect(bench.member.pointer?.revision == "a")
        }
    }

    @Test func `the end of an order to accept is told to the gate`() throws {
        let bench = try following("a", at: 5)
        for accepted in ["b", nil, nil] {
            let contents = StorageContents(pointer: pointer("a", at: 5), accepted: accepted, now: 9)
            bench.handle(.reply(try #require(bench.sentRead()), .contents(contents)))
        }
        let told = bench.log.compactMap { effect -> String?? in
            if case .accept(let revision) = effect { .some(revision) } else { nil }
        }
        #expect(told == ["b", nil])
    }

    @Test func `a pin is taken off while the storage is away`() throws {
        let bench = try following("b", at: 9)
        bench.handle(.pinned(PinRecord(version: 7, pointer: pointer("a", at: 5), by: "operator", reason: nil)))
        let read = try #require(bench.sent { $0 == .readBlob(sha256: "sha-a", bytes: 3) })
        bench.handle(.reply(read, .blob([1, 2, 3])))
        bench.handle(.examined(sha256: "sha-a", .good))
        #expect(bench.member.servesPin)
        bench.handle(.link(isUp: false))
        bench.handle(.pinned(PinRecord(version: 8, pointer: nil, by: "operator", reason: nil)))
        #expect(!bench.member.servesPin && bench.member.served?.revision == "b")
    }
}
