import Fleet
import Redis
import TestSupport
import Testing

@Suite struct RedisStorageTests {
    private typealias Fixture = StorageFixture

    @Test func `a turn is given once, and what it commits is read by all and announced`() async throws {
        let fixture = try await Fixture()
        let listener = PlainRedis(port: fixture.server.port)
        try await listener("SUBSCRIBE", Fixture.prefix + "announce")
        let claim = try await fixture.claim()
        guard case .taken(let left) = try await fixture.perform(Fixture.request(nonce: "n2")) else {
            Issue.record("two have the turn")
            return
        }
        #expect((1...60_000).contains(left))
        let empty = try await fixture.read()
        #expect(empty.pointer == nil)
        #expect(empty.epoch == claim.epoch)
        try await fixture.perform(.writeBlob(sha256: Fixture.hex(1, 64)), blob: Fixture.blob)
        guard case .committed(let pointer) = try await fixture.perform(.commit(claim, Fixture.catalogue(1))) else {
            Issue.record("not committed")
            return
        }
        #expect(pointer.generation == 1)
        #expect(pointer.startedAt == claim.startedAt)
        #expect(pointer.writer == "a\"\\é")
        #expect(try await fixture.read().pointer == pointer)
        let message = try #require(try listener.next().items)
        guard case .bytes(let announced) = message[2] else {
            Issue.record("no message")
            return
        }
        #expect(Announcement(message: announced) == .pointer(pointer, listeners: 1))
        #expect(try await fixture.storage.history(within: .seconds(5)).get() == [pointer])
        let blob = try await fixture.perform(.readBlob(sha256: pointer.sha256, bytes: pointer.bytes))
        #expect(blob == .blob(Fixture.blob))
        #expect(
            try await fixture.admin("GET", "larder:1:{catalogue}:latest") == .bytes(Array("0123456789ab".utf8)))
    }

    @Test func `a commit is refused with a foreign nonce, a lower epoch or an older time`() async throws {
        let fixture = try await Fixture()
        let first = try await fixture.commit(1)
        let claim = try await fixture.claim()
        try await fixture.perform(.writeBlob(sha256: Fixture.hex(2, 64)), blob: Fixture.blob)
        var foreign = claim
        foreign.nonce = "n2"
        #expect(try await fixture.perform(.commit(foreign, Fixture.catalogue(2))) == .fenced)
        var lower = claim
        lower.epoch -= 1
        #expect(try await fixture.perform(.commit(lower, Fixture.catalogue(2))) == .fenced)
        var older = claim
        older.startedAt = first.startedAt - 1
        #expect(try await fixture.perform(.commit(older, Fixture.catalogue(2))) == .fenced)
        older.startedAt = first.startedAt
        #expect(try await fixture.perform(.commit(older, Fixture.catalogue(2))) == .fenced)
        #expect(try await fixture.perform(.confirm(foreign, revision: first.revision)) == .fenced)
        #expect(try await fixture.read().pointer == first)
        guard case .committed = try await fixture.perform(.commit(claim, Fixture.catalogue(2))) else {
            Issue.record("the claim was right")
            return
        }
    }

    @Test func `a commit of a missing or short blob is refused until the blob is there`() async throws {
        let fixture = try await Fixture()
        let claim = try await fixture.claim()
        #expect(try await fixture.perform(.commit(claim, Fixture.catalogue(1))) == .missing)
        try await fixture.perform(.writeBlob(sha256: Fixture.hex(1, 64)), blob: Array(Fixture.blob.dropLast()))
        #expect(try await fixture.perform(.commit(claim, Fixture.catalogue(1))) == .missing)
        #expect(try await fixture.read().pointer == nil)
        try await fixture.perform(.writeBlob(sha256: Fixture.hex(1, 64)), blob: Fixture.blob)
        guard case .committed = try await fixture.perform(.commit(claim, Fixture.catalogue(1))) else {
            Issue.record("the blob was written")
            return
        }
    }

    @Test func `a confirmation moves the times, and finds a blob that was cut`() async throws {
        let fixture = try await Fixture()
        let first = try await fixture.commit(1)
        var claim = try await fixture.claim()
        guard case .committed(let confirmed) = try await fixture.perform(.confirm(claim, revision: first.revision))
        else {
            Issue.record("not confirmed")
            return
        }
        #expect(confirmed.startedAt > first.startedAt)
        #expect(confirmed.generation == first.generation)
        claim = try await fixture.claim()
        try await fixture.admin("SET", Fixture.prefix + "blob:" + first.sha256, "short")
        #expect(try await fixture.perform(.confirm(claim, revision: first.revision)) == .missing)
    }

    @Test func `a full memory refuses to write while reads go on, and a turn can be given back`() async throws {
        let fixture = try await Fixture()
        let pointer = try await fixture.commit(1)
        let claim = try await fixture.claim()
        try await fixture.perform(.writeBlob(sha256: Fixture.hex(2, 64)), blob: Fixture.blob)
        try await fixture.admin("CONFIG", "SET", "maxmemory", "1")
        await #expect(throws: StorageFault.readOnly) {
            try await fixture.perform(.writeBlob(sha256: Fixture.hex(3, 64)), blob: Fixture.blob)
        }
        await #expect(throws: StorageFault.readOnly) {
            try await fixture.perform(.commit(claim, Fixture.catalogue(2)))
        }
        #expect(try await fixture.read().pointer == pointer)
        let blob = try await fixture.perform(.readBlob(sha256: pointer.sha256, bytes: pointer.bytes))
        #expect(blob == .blob(Fixture.blob))
        #expect(try await fixture.perform(.release(nonce: claim.nonce, .failed(refused: nil))) == .done)
        #expect(try await fixture.admin("EXISTS", Fixture.prefix + "lease") == .integer(0))
        await #expect(throws: StorageFault.readOnly) { try await fixture.perform(Fixture.request(isForced: true)) }
        try await fixture.admin("CONFIG", "SET", "maxmemory", "0")
        #expect(try await fixture.commit(2).generation == 2)
    }

    @Test func `a replica refuses to write while reads go on`() async throws {
        let fixture = try await Fixture()
        let pointer = try await fixture.commit(1)
        let claim = try await fixture.claim()
        try await fixture.admin("REPLICAOF", "127.0.0.1", "1")
        await #expect(throws: StorageFault.readOnly) {
            try await fixture.perform(.confirm(claim, revision: pointer.revision))
        }
        await #expect(throws: StorageFault.readOnly) { try await fixture.perform(Fixture.request(isForced: true)) }
        #expect(try await fixture.read().pointer == pointer)
    }

    @Test func `a turn from before a FLUSHALL commits nothing`() async throws {
        let fixture = try await Fixture()
        let claim = try await fixture.claim()
        try await fixture.perform(.writeBlob(sha256: Fixture.hex(1, 64)), blob: Fixture.blob)
        try await fixture.admin("FLUSHALL")
        #expect(try await fixture.perform(.commit(claim, Fixture.catalogue(1))) == .fenced)
        #expect(try await fixture.read().pointer == nil)
    }

    @Test func `scripts that the server forgets are sent again`() async throws {
        let fixture = try await Fixture()
        let claim = try await fixture.claim()
        try await fixture.admin("SCRIPT", "FLUSH")
        #expect(try await fixture.perform(.release(nonce: claim.nonce, .unused)) == .done)
        try await fixture.admin("SCRIPT", "FLUSH")
        #expect(try await fixture.commit(1).generation == 1)
    }

    @Test func `superfluous blobs are removed, but none that is current, in the history or pinned`() async throws {
        let fixture = try await Fixture(keep: 2)
        let pinned = try await fixture.commit(1)
        try await fixture.perform(.pin(PinRecord(version: 5, pointer: pinned, by: "operator", reason: nil)))
        try await fixture.perform(.writeBlob(sha256: Fixture.hex(99, 64)), blob: Fixture.blob)
        for number in 2...5 { try await fixture.commit(number) }
        var left: [Int] = []
        for number in [1, 2, 3, 4, 5, 99] where try await fixture.hasBlob(number) { left.append(number) }
        #expect(left == [1, 4, 5])
        #expect(try await fixture.storage.history(within: .seconds(5)).get().map(\.generation) == [5, 4])
        try await fixture.perform(.pin(PinRecord(version: 6, pointer: nil, by: "operator", reason: nil)))
        try await fixture.commit(6)
        #expect(try await !fixture.hasBlob(1))
    }

    @Test func `nothing that is kept expires, but the lease does`() async throws {
        let fixture = try await Fixture()
        let pointer = try await fixture.commit(1)
        try await fixture.perform(.pin(PinRecord(version: 5, pointer: pointer, by: "operator", reason: "why")))
        try await fixture.perform(.accept(revision: pointer.revision, replacing: pointer.revision))
        let claim = try await fixture.claim()
        try await fixture.perform(.release(nonce: claim.nonce, .failed(refused: pointer.revision)))
        _ = try await fixture.claim()
        try await fixture.perform(.reportDamage(sha256: pointer.sha256))
        let status = MemberStatus(
            name: "a", generation: 1, revision: pointer.revision, startedAt: 1, isHolder: true,
            at: try await fixture.read().now)
        #expect(try await fixture.storage.exchange(status, within: .seconds(5)).get() == [status])
        let keys = try #require(try await fixture.admin("KEYS", "*").items).compactMap(\.text)
        #expect(keys.count == 12)
        for key in keys {
            let time = try #require(try await fixture.admin("TTL", key).number)
            #expect(key.hasSuffix(":lease") ? time > 0 : time == -1, "\(key)")
        }
    }

    @Test func `the record about pins with the highest version stays`() async throws {
        let fixture = try await Fixture()
        let pointer = try await fixture.commit(1)
        let pin = PinRecord(version: 7, pointer: pointer, by: "request 1 from 127.0.0.1", reason: "a \"reason\"")
        try await fixture.perform(.pin(pin))
        try await fixture.perform(.pin(PinRecord(version: 6, pointer: nil, by: "late", reason: nil)))
        #expect(try await fixture.read().pin == pin)
    }

    @Test func `damage that is reported makes room for a refill until the blob is written again`() async throws {
        let fixture = try await Fixture()
        let pointer = try await fixture.commit(1)
        let refill = Fixture.request(purpose: .refill, known: pointer.startedAt)
        guard case .newer = try await fixture.perform(refill) else {
            Issue.record("the blob is whole")
            return
        }
        try await fixture.perform(.reportDamage(sha256: pointer.sha256))
        guard case .granted(let claim, _, _) = try await fixture.perform(refill) else {
            Issue.record("the blob is damaged")
            return
        }
        #expect(claim.startedAt == pointer.startedAt)
        try await fixture.perform(.writeBlob(sha256: pointer.sha256), blob: Fixture.blob)
        guard case .committed(let repaired) = try await fixture.perform(.commit(claim, Fixture.catalogue(1))) else {
            Issue.record("not repaired")
            return
        }
        #expect(repaired.startedAt == pointer.startedAt)
        guard case .newer = try await fixture.perform(refill) else {
            Issue.record("the blob is whole again")
            return
        }
    }

    @Test func `a catalogue of another configuration is found by its fingerprint`() async throws {
        let fixture = try await Fixture()
        let pointer = try await fixture.commit(1)
        let other = RedisStorage(
            client: fixture.user, keys: StorageKeys(name: "catalogue", fingerprint: "ffffffffffff"), keep: 3,
            logger: fixture.log.logger)
        let former = try await other.former(maxBytes: 100, within: .seconds(5)).get()
        #expect(former?.pointer == pointer)
        #expect(former?.blob == Fixture.blob)
        #expect(try await other.former(maxBytes: 9, within: .seconds(5)).get() == nil)
        #expect(try await fixture.storage.former(maxBytes: 100, within: .seconds(5)).get() == nil)
    }
}
