import FileSystem
import Logging
import Networking
import Redis
import TestSupport
import Testing
import Text

@Suite(.timeLimit(.minutes(2)))
struct RedisClientTests {
    @Test func `replies of every kind come back as they were sent`() async throws {
        let server = try await RedisServer()
        try await withClient(try server.settings()) { running in
            await running.waitUntilConnected()
            #expect(running.client.isConnected)
            #expect(try await running.command("SET", "a", "ä\r\n") == .status("OK"))
            #expect(try await running.command("GET", "a") == .text("ä\r\n"))
            #expect(try await running.command("GET", "b") == .null)
            #expect(try await running.command("INCRBY", "n", "-7") == .integer(-7))
            let nested = try await running.command("EVAL", "return {1, {2, {}, {'x', false}}, '', 3}", "0")
            #expect(
                nested
                    == .array([
                        .integer(1), .array([.integer(2), .array([]), .array([.text("x"), .null])]), .text(""),
                        .integer(3),
                    ]))
            guard case .error(let text) = try await running.command("INCR", "a") else { return #expect(Bool(false)) }
            #expect(text.hasPrefix("ERR value is not an integer"))
            #expect(try await running.command("CLIENT", "GETNAME") == .text("larder"))
            #expect(try await running.client.send([], within: .seconds(1)).isEmpty)
        }
    }

    @Test func `two thousand pipelined commands keep their order, and so do those of many tasks`() async throws {
        let server = try await RedisServer()
        try await withClient(try server.settings()) { running in
            await running.waitUntilConnected()
            let commands = (0..<2000).map { [Array("ECHO".utf8), Array("\($0)".utf8)] }
            let replies = try await running.client.send(commands, within: .seconds(20))
            #expect(replies == (0..<2000).map { .text("\($0)") })
            let right = await withTaskGroup { group in
                for number in 0..<200 {
                    group.addTask { try? await running.command("ECHO", "\(number)") == .text("\(number)") }
                }
                return await group.reduce(into: 0) { if $1 == true { $0 += 1 } }
            }
            #expect(right == 200)
        }
    }

    @Test func `a blob of megabytes comes back whole, and one beyond the limit drops the connection`() async throws {
        let server = try await RedisServer()
        var settings = try server.settings()
        settings.maxReply = 8 << 20
        try await withClient(settings) { running in
            await running.waitUntilConnected()
            let blob = [UInt8](repeating: 7, count: (8 << 20) - 100)
            let key = Array("blob".utf8)
            let replies = try await running.client.send(
                [[Array("SET".utf8), key, blob], [Array("GET".utf8), key]], within: .seconds(20))
            #expect(replies[1] == .bytes(blob))
            _ = try await running.command("APPEND", "blob", String(repeating: "x", count: 200))
            await #expect(throws: RedisError.disconnected("a reply exceeds \(8 << 20) bytes")) {
                try await running.command("GET", "blob")
            }
            await running.waitUntilConnected(times: 2)
            #expect(try await running.command("PING") == .status("PONG"))
        }
    }

    @Test func `messages of the channel arrive in order, and only those`() async throws {
        let server = try await RedisServer()
        try await withClient(try server.settings(), channel: "larder:1:{a}:announce") { running in
            await running.waitUntilConnected()
            for text in ["one", "two"] {
                let listeners = try await running.command("PUBLISH", "larder:1:{a}:announce", text)
                #expect(listeners == .integer(1))
            }
            _ = try await running.command("PUBLISH", "another", "three")
            await running.events.wait { $0.count == 3 }
            #expect(running.events.value == [.connected, .message(Array("one".utf8)), .message(Array("two".utf8))])
        }
    }

    @Test func `a number selects the database`() async throws {
        let server = try await RedisServer()
        try await withClient(try server.settings(database: 3)) { running in
            await running.waitUntilConnected()
            _ = try await running.command("SET", "a", "1")
            guard case .bytes(let keys) = try await running.command("INFO", "keyspace") else {
                return #expect(Bool(false))
            }
            #expect(String(decoding: keys, as: UTF8.self).contains("db3:keys=1"))
        }
    }

    @Test func `a database that is not there is told`() async throws {
        let server = try await RedisServer()
        try await withClient(try server.settings(database: 99)) { running in
            await running.waitForLoss("DB index is out of range")
        }
    }

    @Test func `a cancelled command returns at once, and later replies are not mixed up`() async throws {
        let server = try await RedisServer()
        try await withClient(try server.settings()) { running in
            await running.waitUntilConnected()
            server.pause()
            let sending = Task { try await running.command("ECHO", "one", within: .seconds(60)) }
            sending.cancel()
            await #expect(throws: RedisError.disconnected("the caller was cancelled")) { try await sending.value }
            server.resume()
            let reply = try await running.command("ECHO", "two")
            #expect(reply == .text("two"))
        }
    }

    @Test func `a client that was stopped sends nothing more`() async throws {
        let server = try await RedisServer()
        var stopped: RedisClient?
        try await withClient(try server.settings()) { running in
            await running.waitUntilConnected()
            stopped = running.client
        }
        let client = try #require(stopped)
        #expect(!client.isConnected)
        await #expect(throws: RedisError.disconnected("closed")) {
            try await client.send([[Array("PING".utf8)]], within: .seconds(1))
        }
    }

    @Test(arguments: [
        (RedisValue.integer(7), 7 as Int?), (.bytes(Array("42".utf8)), 42), (.status("OK"), nil), (.null, nil),
    ])
    func `numbers are read from integers and from strings`(value: RedisValue, number: Int?) {
        #expect(value.number == number)
    }
}
