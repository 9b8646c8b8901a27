import Fleet
import Products
import Redis
import TestSupport
import Testing

@Suite struct UntrustedStorageTests {
    private typealias Fixture = StorageFixture

    /// Answers every command alike.
    private struct StubbedRedis: RedisCommanding {
        var replies: [RedisValue] = []
        var failure: RedisError?
        var sent: [RedisEvent] = []
        var events: AsyncStream<RedisEvent> {
            AsyncStream { continuation in
                sent.forEach { continuation.yield($0) }
                continuation.finish()
            }
        }

        func run() async {}

        func send(_ commands: [[[UInt8]]], within limit: Duration) async throws(RedisError) -> [RedisValue] {
            if let failure { throw failure }
            return commands.indices.map { replies.isEmpty ? .null : replies[$0 % replies.count] }
        }
    }

    private func storage(_ client: StubbedRedis) -> RedisStorage {
        RedisStorage(client: client, keys: Fixture.keys, keep: 3, logger: LogRecorder().logger)
    }

    private static func bytes(_ text: String) -> RedisValue { .bytes(Array(text.utf8)) }

    private static let good = [
        "3", StorageFixture.hex(1, 32), "2", "1700000000000", "1700000000001", "5", "10", StorageFixture.hex(1, 64),
        "gzip", "writer", "259200000 offline larder; hit; ttl=-259170; detail=offline", "1",
    ]
    private static let time = RedisValue.array([bytes("1700000000"), bytes("999999")])

    private func read(_ current: RedisValue, pin: RedisValue = .null) async -> StorageContents? {
        let client = StubbedRedis(replies: [current, pin, .null, .null, .null, Self.time])
        guard
            case .success(.contents(let contents)) = await storage(client)
                .perform(.read, blob: nil, within: .seconds(1))
        else { return nil }
        return contents
    }

    @Test func `a pointer is read as it was written`() async {
        let contents = await read(.array(Self.good.map(Self.bytes)))
        #expect(contents?.pointer?.generation == 3)
        #expect(contents?.pointer?.startedAt == 1_700_000_000_000)
        #expect(contents?.now == 1_700_000_000_999)
    }

    @Test(arguments: [
        (0, "0"), (0, "-1"), (0, ""), (0, "99999999999999999999"), (0, "1e3"), (0, "0x10"), (0, " 1"), (0, "+1"),
        (0, "NaN"), (0, "٣"), (0, "9000000000000"), (1, "abc"), (1, StorageFixture.hex(1, 31) + "G"),
        (1, StorageFixture.hex(1, 64)),
        (2, "x"), (3, "0"), (3, "9000000000001"), (3, "10000000000000"), (4, "-5"), (5, "1.5"), (6, "0"),
        (7, StorageFixture.hex(1, 63)),
        (7, "../../" + StorageFixture.hex(1, 58)), (8, "zstd"), (8, ""), (9, String(repeating: "w", count: 129)),
    ])
    func `a malformed field makes no pointer`(index: Int, text: String) async {
        var fields = Self.good
        fields[index] = text
        let contents = await read(.array(fields.map(Self.bytes)))
        #expect(contents != nil && contents?.pointer == nil)
    }

    @Test func `replies of any other shape make no pointer`() async {
        let shapes: [RedisValue] = [
            .null, .integer(.max), .integer(.min), .array([]), .array([.array([.null])]), Self.bytes("x"),
            .status("OK"), .error("WRONGTYPE Operation against a key holding the wrong kind of value"),
            .array(Array(repeating: .integer(.min), count: 11)), .array(Array(repeating: .null, count: 11)),
            .array(Array(repeating: .bytes([0xFF, 0xFE]), count: 11)),
        ]
        for shape in shapes {
            let contents = await read(shape, pin: shape)
            #expect(contents != nil && contents?.pointer == nil && contents?.pin == nil, "\(shape)")
        }
    }

    @Test(arguments: [
        "", "{}", "null", "[1]", "{\"version\":-1,\"by\":\"a\"}", "{\"version\":9000000000001,\"by\":\"a\"}",
        "{\"version\":1e300,\"by\":\"a\"}",
        "{\"version\":9223372036854775807,\"by\":\"a\"}", "{\"version\":NaN,\"by\":\"a\"}",
        "{\"version\":1,\"by\":\"a\",\"pointer\":{\"generation\":1}}", "{\"version\":1,\"by\":\"a\",\"pointer\":7}",
        String(repeating: "[", count: 5000), "{\"version\":1,\"by\":\"" + String(repeating: "a", count: 20_000) + "\"}",
    ])
    func `a malformed record about pins is none`(text: String) async {
        #expect(await read(.null, pin: Self.bytes(text))?.pin == nil)
    }

    @Test func `foreign texts bring no controls, which might steer a terminal or a log`() async throws {
        let text = #"{"version":1,"by":"a\u001b[31mb","reason":"c\nd"}"#
        let contents = await read(
            .array((Self.good.dropLast(3) + ["w\u{1B}\r\nx", "5 - larder\u{1B}", ""]).map(Self.bytes)),
            pin: Self.bytes(text))
        #expect(contents?.pointer?.writer == "wx")
        #expect(contents?.pointer?.source?.age == 5)
        #expect(contents?.pointer?.source?.statement == nil || contents?.pointer?.source?.statement?.cacheStatus == "")
        #expect(contents?.pin == PinRecord(version: 1, pointer: nil, by: "a[31mb", reason: "cd"))
        let fixture = try await Fixture()
        var status = MemberStatus(
            name: "a", generation: 0, revision: "", startedAt: 0, isHolder: false, at: try await fixture.read().now)
        for name in ["a\u{7}", "a"] {
            status.name = name
            _ = try await fixture.storage.exchange(status, within: .seconds(5)).get()
        }
        #expect(try await fixture.storage.exchange(status, within: .seconds(5)).get() == [status])
    }

    @Test(arguments: [
        ("timeout", true), ("status-503", true), ("http://shop.example/key", false), ("Timeout", false), ("", false),
        (String(repeating: "a", count: 32), true), (String(repeating: "a", count: 33), false),
    ])
    func `what another replica has seen is told to clients by a token only`(reason: String, isToken: Bool) async {
        let seen = "{\"reason\":\"\(reason)\",\"detail\":\"d\u{202E}\",\"member\":\"m\u{2028}\"}"
        let reply = RedisValue.array([Self.bytes("paused"), .integer(7), .integer(1), Self.bytes(seen)])
        let result = await storage(StubbedRedis(replies: [reply]))
            .perform(Fixture.request(), blob: nil, within: .seconds(1))
        let expected = isToken ? SeenFailure(reason: reason, detail: "d", member: "m") : nil
        #expect(result == .success(.paused(milliseconds: 7, failures: 1, seen: expected)))
    }

    @Test func `a command of several trips ends in time`() async {
        let replies = [RedisValue.array([Self.bytes("missing")])]
        let storage = storage(StubbedRedis(replies: replies))
        let claim = Claim(nonce: "n", epoch: 1, startedAt: 1)
        let late = await storage.perform(.confirm(claim, revision: "a"), blob: nil, within: .zero)
        #expect(late == .failure(.silent))
        let inTime = await storage.perform(.confirm(claim, revision: "a"), blob: nil, within: .seconds(60))
        #expect(inTime == .success(.missing))
    }

    @Test(arguments: [
        "", "{}", "[]", "look", "{\"look\":false}", "{\"look\":1}", "{\"damaged\":\"x\"}", "{\"damaged\":7}",
        "{\"pointer\":{}}", String(repeating: "{\"a\":", count: 900), String(repeating: " ", count: 5000),
    ])
    func `a foreign message is none`(text: String) {
        #expect(Announcement(message: Array(text.utf8)) == nil)
    }

    @Test func `random damage to a message never makes a pointer of other numbers than it has room for`() {
        let text = """
            {"listeners":3,"pointer":{"generation":3,"revision":"\(Fixture.hex(1, 32))","epoch":2,"startedAt":4,\
            "checkedAt":5,"count":6,"bytes":7,"sha256":"\(Fixture.hex(1, 64))","encoding":"gzip","writer":"w"}}
            """
        guard case .pointer(let pointer, 3) = Announcement(message: Array(text.utf8)) else {
            Issue.record("the message is right")
            return
        }
        #expect(pointer.bytes == 7)
        var random = SeededGenerator(seed: 18)
        for _ in 0..<5000 {
            var bytes = Array(text.utf8)
            for _ in 0..<3 {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard case .pointer(let pointer, let listeners) = Announcement(message: bytes) else { continue }
            #expect((0...100_000).contains(listeners) && pointer.revision.utf8.count == 32)
            #expect(pointer.generation > 0 && pointer.bytes > 0 && pointer.startedAt < 10_000_000_000_000)
        }
    }

    @Test(arguments: [
        ("OOM command not allowed when used memory > 'maxmemory'.", StorageFault.readOnly),
        ("READONLY You can't write against a read only replica.", .readOnly),
        ("MISCONF Redis is configured", .readOnly),
        ("NOREPLICAS Not enough good replicas to write.", .readOnly),
        (
            "ERR Error running script (call to f_1): @user_script:7: @user_script: 7: -OOM command not allowed",
            .readOnly
        ),
        ("LOADING Redis is loading the dataset in memory", .silent), ("MASTERDOWN Link with MASTER is down", .silent),
        ("BUSY Redis is busy running a script.", .silent), ("CLUSTERDOWN Hash slot not served", .silent),
        ("NOPERM no permissions", .refused("NOPERM no permissions")), ("NOAUTH needed", .refused("NOAUTH needed")),
        ("", .refused("")),
    ])
    func `refusals are sorted by their codes`(text: String, fault: StorageFault) async {
        let claim = Claim(nonce: "n", epoch: 1, startedAt: 1)
        let storage = storage(StubbedRedis(replies: [.error(text)]))
        for command in [StorageCommand.read, .confirm(claim, revision: Fixture.hex(1, 32))] {
            #expect(await storage.perform(command, blob: nil, within: .seconds(1)) == .failure(fault))
        }
    }

    @Test func `a connection that is lost or late is a silent storage`() async {
        for failure in [RedisError.disconnected("reset"), .timedOut] {
            let result = await storage(StubbedRedis(failure: failure)).perform(.read, blob: nil, within: .seconds(1))
            #expect(result == .failure(.silent))
        }
    }

    @Test func `malformed replies of scripts are refused`() async {
        let shapes: [[RedisValue]] = [
            [], [.null], [.integer(1)], [Self.bytes("granted")], [Self.bytes("taken"), .integer(-5)],
            [Self.bytes("granted"), .integer(.max), .integer(1), .array([])], [Self.bytes("committed"), .array([])],
            [Self.bytes("newer"), .array(Array(repeating: .null, count: 6))], [Self.bytes("done"), .null],
        ]
        for shape in shapes {
            let result = await storage(StubbedRedis(replies: [.array(shape)]))
                .perform(Fixture.request(), blob: nil, within: .seconds(1))
            #expect(result == .failure(.refused("the reply of a script is malformed")), "\(shape)")
        }
    }

    @Test func `what is no catalogue is never committed`() async throws {
        let storage = storage(StubbedRedis(replies: [.array([Self.bytes("done")])]))
        var catalogue = Fixture.catalogue(1)
        catalogue.revision = "x"
        let claim = Claim(nonce: "n", epoch: 1, startedAt: 1)
        let result = await storage.perform(.commit(claim, catalogue), blob: nil, within: .seconds(1))
        #expect(result == .failure(.refused("the catalogue to commit is none")))
    }

    @Test func `events of the connection are passed on, foreign messages are not`() async {
        let storage = storage(
            StubbedRedis(sent: [
                .connected, .message(Array("{\"look\":true}".utf8)), .message([0xFF]), .disconnected("reset"),
            ]))
        await storage.run()
        var events: [FleetStorageEvent] = []
        for await event in storage.events { events.append(event) }
        #expect(events == [.up, .announced(.look), .down("reset")])
    }

    @Test(arguments: ["string", "list", "hash", "set"])
    func `values of foreign types are none, and a commit writes over them`(type: String) async throws {
        let fixture = try await Fixture()
        let names = ["current", "pin", "epoch", "attempt", "accepted", "history", "damaged", "blobs", "members"]
        for name in names {
            let key = Fixture.prefix + name
            switch type {
            case "string": try await fixture.admin("SET", key, "{\"version\":NaN,\"sha256\":NaN}")
            case "list": try await fixture.admin("RPUSH", key, "NaN")
            case "hash": try await fixture.admin("HSET", key, "generation", "NaN")
            default: try await fixture.admin("SADD", key, "NaN")
            }
        }
        let contents = try await fixture.read()
        #expect(contents.pointer == nil && contents.pin == nil && contents.epoch == 0)
        let pointer = try await fixture.commit(1)
        #expect(pointer.generation == 1)
        #expect(try await fixture.read().pointer == pointer)
        #expect(try await fixture.storage.history(within: .seconds(5)).get() == [pointer])
        let pin = PinRecord(version: 1, pointer: pointer, by: "test", reason: nil)
        try await fixture.perform(.pin(pin))
        #expect(try await fixture.read().pin == pin)
        let status = MemberStatus(
            name: "a", generation: 0, revision: "", startedAt: 0, isHolder: false, at: try await fixture.read().now)
        _ = try await fixture.storage.exchange(status, within: .seconds(5)).get()
        #expect(try await fixture.storage.exchange(status, within: .seconds(5)).get() == [status])
    }

    @Test func `times that leave no later ones are none, and are written over`() async throws {
        let fixture = try await Fixture()
        let pointer = try await fixture.commit(1)
        try await fixture.admin("HSET", Fixture.prefix + "current", "startedAt", "9999999999999")
        try await fixture.admin("SET", Fixture.prefix + "pin", "{\"version\":9999999999999,\"by\":\"a\"}")
        #expect(try await fixture.read().pointer == nil)
        #expect(try await fixture.commit(2).startedAt < pointer.startedAt + 3_600_000)
        let pin = PinRecord(version: 1, pointer: pointer, by: "test", reason: nil)
        try await fixture.perform(.pin(pin))
        #expect(try await fixture.read().pin == pin)
    }

    @Test func `a malformed pointer is logged once`() async throws {
        let fixture = try await Fixture()
        try await fixture.admin("HSET", Fixture.prefix + "current", "generation", "-1")
        _ = try await fixture.read()
        _ = try await fixture.read()
        #expect(fixture.log.count(of: "warning: the shared storage has a malformed pointer, which counts as none") == 1)
    }
}
