import Redis
import TestSupport
import Testing

/// Servers that go away, hang or lie.
@Suite(.timeLimit(.minutes(2)))
struct RedisFaultTests {
    private static let greeting = "*1\r\n$4\r\nPING\r\n*3\r\n$6\r\nCLIENT\r\n$7\r\nSETNAME\r\n$6\r\nlarder\r\n"
    private static let ping = "*1\r\n$4\r\nPING\r\n"

    /// Lets a client log in, and goes on by a script.
    private static func liar(_ script: @escaping @Sendable (UpstreamConnection) -> Void) -> ScriptedUpstream {
        ScriptedUpstream { connection in
            guard connection.readBytes(greeting.utf8.count) != nil else { return }
            connection.write("+PONG\r\n+OK\r\n")
            script(connection)
        }
    }

    private static func settings(_ upstream: ScriptedUpstream) throws -> RedisSettings {
        var settings = RedisSettings(url: try RedisURL("redis://127.0.0.1:\(upstream.port)"))
        settings.maxReply = 1 << 20
        return settings
    }

    @Test func `a server that restarts is used again`() async throws {
        let server = try await RedisServer()
        try await withClient(try server.settings(), channel: "larder:a") { running in
            await running.waitUntilConnected()
            server.stop()
            await running.waitForLoss()
            await #expect(throws: RedisError.self) { try await running.command("PING") }
            try await server.start()
            await running.waitUntilConnected(times: 2)
            #expect(try await running.command("PUBLISH", "larder:a", "x") == .integer(1))
        }
    }

    @Test func `a server that is not there yet is used as soon as it is`() async throws {
        let port = try FreePort.pick()
        try await withClient(RedisSettings(url: try RedisURL("redis://127.0.0.1:\(port)")), channel: "a") { running in
            await running.waitForLoss("Connection refused")
            let server = try await RedisServer(port: port)
            await running.waitUntilConnected()
            server.stop()
        }
    }

    @Test func `a hung server is noticed by the command, and used again afterwards`() async throws {
        let server = try await RedisServer()
        try await withClient(try server.settings(), channel: "larder:a") { running in
            await running.waitUntilConnected()
            server.pause()
            let start = ContinuousClock.now
            await #expect(throws: RedisError.timedOut) { try await running.command("PING", within: .milliseconds(200)) }
            #expect(ContinuousClock.now - start < .seconds(10))
            await running.waitForLoss("did not respond in time")
            server.resume()
            await running.waitUntilConnected(times: 2)
            let reply = try await running.command("ECHO", "x")
            #expect(reply == .text("x"))
        }
    }

    @Test func `a server that has become a replica is looked for anew, at most each half minute`() async throws {
        let server = try await RedisServer()
        let clock = ManualClock()
        try await withClient(try server.settings(), clock: clock) { running in
            await running.waitUntilConnected()
            #expect(try await running.command("REPLICAOF", "127.0.0.1", "1") == .status("OK"))
            for _ in 0..<2 {
                guard case .error = try await running.command("SET", "a", "1") else { return #expect(Bool(false)) }
            }
            clock.advance(by: .seconds(31))
            guard case .error = try await running.command("SET", "a", "1") else { return #expect(Bool(false)) }
            await running.waitForLoss("READONLY")
        }
    }

    @Test func `a deaf subscription is noticed by its pings, without a command`() async throws {
        let server = try await RedisServer()
        let clock = ManualClock()
        try await withClient(try server.settings(), channel: "larder:a", clock: clock) { running in
            await running.waitUntilConnected()
            server.pause()
            try await eventually {
                clock.advance(by: .seconds(1))
                return running.events.value.contains(.disconnected(RedisError.timedOut.reason))
            }
            #expect(!running.client.isConnected)
            server.resume()
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 400 Bad Request\r\n\r\n", "the server breaks the protocol"),
        ("$10\r\nabc", "the server closed the connection"),
        ("$999999999\r\nabc", "a reply exceeds 1048576 bytes"),
        ("$-2\r\n", "the server breaks the protocol"),
        ("*999999999\r\n", "a reply has more than 65536 parts"),
        ("*4294967296\r\n" + String(repeating: ":1\r\n", count: 70_000), "the server breaks the protocol"),
        (String(repeating: "*1\r\n", count: 9) + ":1\r\n", "the server breaks the protocol"),
        ("+" + String(repeating: "a", count: 100_000), "a reply exceeds 1048576 bytes"),
        (
            "*2\r\n" + String(repeating: "*40000\r\n" + String(repeating: ":1\r\n", count: 40_000), count: 2),
            "a reply has more than 65536 parts"
        ),
        ("$5\rabcdef", "a reply exceeds 1048576 bytes"),
        ("", "the server closed the connection"),
    ])
    func `a false reply ends the connection, and another is made`(reply: String, reason: String) async throws {
        let upstream = Self.liar { connection in
            _ = connection.readBytes(Self.ping.utf8.count)
            connection.write(reply)
        }
        defer { upstream.stop() }
        try await withClient(try Self.settings(upstream)) { running in
            await running.waitUntilConnected()
            let error = await #expect(throws: RedisError.self) { _ = try await running.command("PING") }
            let found = error?.reason ?? ""
            #expect(found.contains(reason))
            await running.waitUntilConnected(times: 2)
        }
    }

    @Test func `a refusal is told in one line that is not long`() async throws {
        let upstream = ScriptedUpstream {
            $0.write("-ERR \u{1B}[31mforged\nline " + String(repeating: "x", count: 2000) + "\r\n")
        }
        defer { upstream.stop() }
        try await withClient(try Self.settings(upstream)) { running in
            try await running.waitForReason("ERR [31mforgedline x")
            #expect(running.client.lastReason.utf8.count <= 500)
        }
    }

    @Test func `a message that is too long to be one is dropped`() async throws {
        let server = try await RedisServer()
        try await withClient(try server.settings(), channel: "larder:a") { running in
            await running.waitUntilConnected()
            let long = String(repeating: "x", count: 64 << 10)
            for text in [long + "x", long] { _ = try await running.command("PUBLISH", "larder:a", text) }
            await running.events.wait { $0.count > 1 }
            #expect(running.events.value == [.connected, .message(Array(long.utf8))])
        }
    }

    @Test func `a reply without a command ends the connection`() async throws {
        let upstream = Self.liar {
            $0.write("+OK\r\n")
            $0.waitForClose()
        }
        defer { upstream.stop() }
        try await withClient(try Self.settings(upstream)) {
            await $0.waitForLoss("a reply without a command")
        }
    }

    @Test(arguments: [0, 1])
    func `silence and a trickle are both too late`(trickles: Int) async throws {
        let upstream = Self.liar { connection in
            _ = connection.readBytes(Self.ping.utf8.count)
            connection.write("$100000\r\n")
            if trickles == 1 { connection.trickle(every: .milliseconds(10)) } else { connection.waitForClose() }
        }
        defer { upstream.stop() }
        try await withClient(try Self.settings(upstream)) { running in
            await running.waitUntilConnected()
            await #expect(throws: RedisError.timedOut) { try await running.command("PING", within: .milliseconds(300)) }
        }
    }

    @Test func `a reply in pieces is whole in the end`() async throws {
        let upstream = Self.liar { connection in
            _ = connection.readBytes(Self.ping.utf8.count)
            connection.trickle("*2\r\n$5\r\nhello\r\n:7\r\n", pieces: 20, every: .milliseconds(2))
            connection.waitForClose()
        }
        defer { upstream.stop() }
        try await withClient(try Self.settings(upstream)) { running in
            await running.waitUntilConnected()
            let reply = try await running.command("PING")
            #expect(reply == .array([.text("hello"), .integer(7)]))
        }
    }

    @Test(arguments: [
        "LOADING Redis is loading the dataset in memory", "ERR max number of clients reached",
        "MASTERDOWN Link with MASTER is down",
    ])
    func `a server that refuses everybody is told by its own words, and tried again`(text: String) async throws {
        let upstream = ScriptedUpstream { $0.write("-\(text)\r\n") }
        defer { upstream.stop() }
        try await withClient(try Self.settings(upstream)) { running in
            try await running.waitForReason(text)
            try await eventually { upstream.acceptedCount > 2 }
        }
    }
}
