import Fleet
import FileSystem
import Redis
import TestSupport
import Testing

/// The rules of a fleet as a real server keeps them: orders that end, turns that last, times that are none, and permissions.
@Suite struct RedisRulesTests {
    private typealias Fixture = StorageFixture

    @Test func `an order to accept ends with the commit that it is about, and marks it`() async throws {
        let fixture = try await Fixture()
        let first = try await fixture.commit(1)
        let bad = Fixture.hex(2, 32)
        #expect(try await fixture.perform(.accept(revision: bad, replacing: nil)) == .fenced)
        #expect(try await fixture.perform(.accept(revision: bad, replacing: first.revision)) == .done)
        #expect(try await fixture.read().accepted == bad)
        let accepted = try await fixture.commit(2)
        #expect(accepted.isAccepted)
        #expect(try await fixture.read().accepted == nil)
        #expect(try await fixture.commit(3).isAccepted == false)
        #expect(try await fixture.commit(2).isAccepted == false)
        let history = try await fixture.storage.history(within: .seconds(5)).get()
        #expect(history.map(\.isAccepted) == [false, false, true])
    }

    @Test func `an order about a catalogue that is replaced meanwhile is over`() async throws {
        let fixture = try await Fixture()
        let first = try await fixture.commit(1)
        try await fixture.perform(.accept(revision: Fixture.hex(9, 32), replacing: first.revision))
        let claim = try await fixture.claim()
        guard case .committed = try await fixture.perform(.confirm(claim, revision: first.revision)) else {
            Issue.record("not confirmed")
            return
        }
        #expect(try await fixture.read().accepted != nil, "what it is about is still current")
        try await fixture.commit(2)
        #expect(try await fixture.read().accepted == nil)
    }

    @Test func `a turn is prolonged by its holder, and by nobody else`() async throws {
        let fixture = try await Fixture()
        let claim = try await fixture.claim()
        #expect(try await fixture.perform(.renew(claim, milliseconds: 90_000)) == .done)
        let left = try #require(try await fixture.admin("PTTL", Fixture.prefix + "lease").number)
        #expect(left > 60_000)
        var foreign = claim
        foreign.nonce = "n2"
        #expect(try await fixture.perform(.renew(foreign, milliseconds: 90_000)) == .fenced)
        #expect(try await fixture.perform(.release(nonce: claim.nonce, .unused)) == .done)
        #expect(try await fixture.perform(.renew(claim, milliseconds: 90_000)) == .fenced)
        #expect(try await fixture.admin("EXISTS", Fixture.prefix + "lease") == .integer(0))
    }

    /// `9000000000000` is the latest time that a pointer can have, from which no later one follows.
    @Test(arguments: ["9000000000000", "8999999999999", "+3600000"])
    func `a forged time fences nothing, and no script dies half-way`(forged: String) async throws {
        let fixture = try await Fixture()
        try await fixture.commit(1)
        let now = try await fixture.read().now
        let time = forged.hasPrefix("+") ? "\(now + 3_600_000)" : forged
        try await fixture.admin("HSET", Fixture.prefix + "current", "startedAt", time)
        guard case .granted(let claim, _, _) = try await fixture.perform(Fixture.request(known: now, isForced: true))
        else {
            Issue.record("not granted")
            return
        }
        try await fixture.perform(.writeBlob(sha256: Fixture.hex(2, 64)), blob: Fixture.blob)
        guard case .committed(let pointer) = try await fixture.perform(.commit(claim, Fixture.catalogue(2))) else {
            Issue.record("not committed")
            return
        }
        #expect(pointer.startedAt < now + 4_000_000)
        #expect(try await fixture.read().pointer == pointer)
        var late = try await fixture.claim()
        late.startedAt = 9_000_000_000_000
        #expect(try await fixture.perform(.commit(late, Fixture.catalogue(2))) == .fenced)
        #expect(try await fixture.read().pointer == pointer, "nothing was written")
    }

    @Test func `what a member holds with a forged time is not newer than all`() async throws {
        let fixture = try await Fixture()
        try await fixture.commit(1)
        let request = Fixture.request(purpose: .refill, known: 9_000_000_000_000)
        guard case .newer = try await fixture.perform(request) else {
            Issue.record("a refill from the future")
            return
        }
        guard
            case .granted(let claim, _, let contents) = try await fixture.perform(
                Fixture.request(known: 9_000_000_000_000, isForced: true))
        else {
            Issue.record("not granted")
            return
        }
        #expect(claim.startedAt <= contents.now + 1_000)
    }

    @Test func `two databases of one server do not hear each other`() async throws {
        let fixture = try await Fixture()
        let other = PlainRedis(port: fixture.server.port)
        try await other("SELECT", "3")
        let keys = StorageKeys(name: "catalogue", fingerprint: "0123456789ab", database: 3)
        let storage = RedisStorage(client: other, keys: keys, keep: 3, logger: fixture.log.logger)
        let (first, third) = (PlainRedis(port: fixture.server.port), PlainRedis(port: fixture.server.port))
        try await first("SUBSCRIBE", RedisStorage.channel(of: Fixture.keys))
        try await third("SUBSCRIBE", RedisStorage.channel(of: keys))
        #expect(RedisStorage.channel(of: Fixture.keys) == Fixture.prefix + "announce", "as in former versions")
        _ = await storage.perform(
            .pin(PinRecord(version: 1, pointer: nil, by: "3", reason: nil)), blob: nil, within: .seconds(5))
        try await fixture.perform(.reportDamage(sha256: Fixture.hex(1, 64)))
        func message(_ listener: PlainRedis) throws -> Announcement? {
            guard case .bytes(let bytes)? = try listener.next().items?[2] else { return nil }
            return Announcement(message: bytes)
        }
        #expect(try message(third) == .look)
        #expect(try message(first) == .damaged(sha256: Fixture.hex(1, 64)), "and not the look before it")
    }

    @Test func `a rehearsal names what a user may not do, and leaves nothing`() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.storage.rehearse(within: .seconds(5)).get() == [])
        #expect(try await fixture.admin("DBSIZE") == .integer(0))
        try await fixture.admin("ACL", "SETUSER", "larder", "-sadd", "-lpush")
        let refused = try await fixture.storage.rehearse(within: .seconds(5)).get()
        #expect(refused.map { $0.prefix { $0 != ":" } } == ["SADD", "LPUSH"])
        try await fixture.admin("ACL", "SETUSER", "larder", "-eval", "-evalsha")
        await #expect(throws: StorageFault.self) { try await fixture.storage.rehearse(within: .seconds(5)).get() }
        #expect(try await fixture.admin("DBSIZE") == .integer(0))
    }

    private static func user(in path: String) throws -> Substring {
        let lines = try Repository.text(path).replacing("\\\n", with: " ").split(whereSeparator: \.isNewline)
        return try #require(lines.first { $0.hasPrefix("user larder on #") })
    }

    @Test(arguments: ["config/kubernetes/shared-store/start.sh", "Sources/larder/Larder.docc/Fleet.md"])
    func `the user that is deployed and documented has these permissions, and INFO`(path: String) throws {
        let rules = try Self.user(in: path).split(separator: " ").dropFirst(4).map(String.init)
        #expect(rules == ["resetchannels", "-@all"] + RedisServer.replicaPermissions + ["+info"])
    }

    @Test func `a server starts with the documented line as its file of users, and a replica can work`() async throws {
        let lines = try Repository.text("Sources/larder/Larder.docc/Fleet.md").split(whereSeparator: \.isNewline)
        let line = try #require(lines.first { $0.hasPrefix("user larder on #") })
        // printf secret | sha256sum
        let digest = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
        let directory = try TemporaryDirectory()
        try Files.create(
            directory("users.acl"), Array((line.replacing("SHA256-OF-PASSWORD", with: digest) + "\n").utf8))
        let server = try await RedisServer(["--aclfile", directory("users.acl")])
        let user = PlainRedis(port: server.port)
        #expect(try await user("AUTH", "larder", "secret") == .status("OK"))
        let storage = RedisStorage(client: user, keys: Fixture.keys, keep: 3, logger: LogRecorder().logger)
        #expect(try await storage.rehearse(within: .seconds(5)).get() == [])
        let listener = PlainRedis(port: server.port)
        try await listener("AUTH", "larder", "secret")
        #expect(try await listener("SUBSCRIBE", RedisStorage.channel(of: Fixture.keys)).items?.count == 3)
    }

    @Test(arguments: [
        #"{"version":8000000000000}"#, #"{"version":8000000000000,"by":"a"}"#, #"{"version":8e12,"by":"a"}"#,
        #"{"version":7,"by":7}"#, #"{"version":7,"by":"a","pointer":{}}"#, #"{"version":7,"by":"a","pointer":7}"#,
        #"{"version":7,"by":"a","pointer":{"sha256":"SHA"}}"#, #"{"version":7.5,"by":"a"}"#,
    ])
    func `a record about pins that no replica reads keeps no order out`(forged: String) async throws {
        let fixture = try await Fixture()
        let pointer = try await fixture.commit(1)
        let text = forged.replacing("SHA", with: Fixture.hex(1, 64))
        try await fixture.admin("SET", Fixture.prefix + "pin", text)
        let pin = PinRecord(version: 6, pointer: pointer, by: "operator", reason: nil)
        try await fixture.perform(.pin(pin))
        #expect(try await fixture.read().pin == pin)
        try await fixture.perform(.pin(PinRecord(version: 5, pointer: nil, by: "late", reason: nil)))
        #expect(try await fixture.read().pin == pin, "one that replicas read does")
    }

    @Test(arguments: ["9999999999999", "9000000000000", "8999999999999"])
    func `a forged generation does not stop the count`(forged: String) async throws {
        let fixture = try await Fixture()
        try await fixture.commit(1)
        try await fixture.admin("HSET", Fixture.prefix + "current", "generation", forged)
        let second = try await fixture.commit(2)
        #expect(try await fixture.read().pointer == second)
        let third = try await fixture.commit(3)
        #expect(third.generation > 0 && third.generation != second.generation)
        #expect(try await fixture.read().pointer == third)
    }
}
