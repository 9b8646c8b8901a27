import FileSystem
import Networking
import Redis
import TestSupport
import Testing
import Text

/// Passwords, users and certificates, good and bad.
@Suite(.timeLimit(.minutes(2)))
struct RedisAccessTests {
    @Test func `a wrong password is told, and the right one is used as soon as the file has it`() async throws {
        let server = try await RedisServer(["--requirepass", "right-secret"])
        let directory = try TemporaryDirectory()
        let file = directory("password")
        try Files.create(file, Array("wrong-secret\n".utf8))
        var settings = try server.settings()
        settings.password = Credential(Secret("wrong-secret"), path: file, logger: LogRecorder().logger)
        try await withClient(settings, channel: "larder:a") { running in
            await running.waitForLoss("WRONGPASS")
            #expect(running.client.lastReason.hasPrefix("WRONGPASS"))
            #expect(!running.client.isConnected)
            try Files.remove(file)
            try Files.create(file, Array("right-secret\n".utf8))
            await running.waitUntilConnected()
            #expect(try await running.command("PING") == .status("PONG"))
            #expect(!running.log.seenLines.contains { "\($0)".contains("secret") })
        }
    }

    @Test func `a server that does not know AUTH is told without the password that it repeats`() async throws {
        let server = try await RedisServer(["--rename-command", "AUTH", ""])
        try await withClient(try server.settings(user: ":tell-nobody@")) { running in
            await running.waitForLoss("unknown command")
            #expect(!running.client.lastReason.contains("nobody"))
            #expect(!running.log.seenLines.contains { "\($0)".contains("nobody") })
        }
    }

    @Test func `a missing password is told`() async throws {
        let server = try await RedisServer(["--requirepass", "right"])
        try await withClient(try server.settings()) { await $0.waitForLoss("NOAUTH") }
    }

    @Test func `a user with few rights needs neither CLIENT nor other keys`() async throws {
        let server = try await RedisServer([
            "--user", "larder", "on", ">p@ss", "~larder:*", "&larder:*", "+@read", "+@write", "+@pubsub", "+auth",
            "--user", "default", "off",
        ])
        try await withClient(try server.settings(user: "larder:p%40ss@"), channel: "larder:announce") { running in
            await running.waitUntilConnected()
            #expect(try await running.command("SET", "larder:a", "1") == .status("OK"))
            guard case .error(let text) = try await running.command("GET", "other") else { return #expect(Bool(false)) }
            #expect(text.hasPrefix("NOPERM"))
        }
        try await withClient(try server.settings(user: "larder:p%40ss@"), channel: "another") { running in
            try await running.waitForReason("NOPERM")
            #expect(!running.client.isConnected)
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `TLS names the server by its name or by its address`(host: String) async throws {
        let server = try await RedisServer(tls: .first)
        var settings = try server.settings("rediss", host: host)
        settings.caFile = TestCertificate.first.path
        try await withClient(settings, channel: "larder:a") { running in
            await running.waitUntilConnected()
            let commands = (0..<2000).map { [Array("ECHO".utf8), Array("\($0)".utf8)] }
            let replies = try await running.client.send(commands, within: .seconds(20))
            #expect(replies.count == 2000)
        }
    }

    @Test func `a certificate of another host is refused`() async throws {
        let server = try await RedisServer(["--bind", "127.0.0.1", "127.0.0.2"], tls: .first)
        var settings = try server.settings("rediss", host: "127.0.0.2")
        settings.caFile = TestCertificate.first.path
        try await withClient(settings) { await $0.waitForLoss("TLS: IP address mismatch") }
    }

    @Test func `a certificate that nobody trusts is refused, until the file of roots has its issuer`() async throws {
        let server = try await RedisServer(tls: .first)
        let directory = try TemporaryDirectory()
        let file = directory("roots")
        try Files.create(file, Array(try TestCertificate.second.chain.utf8))
        var settings = try server.settings("rediss", host: "localhost")
        settings.caFile = file
        try await withClient(settings) { running in
            await running.waitForLoss("TLS: self-signed certificate")
            try Files.remove(file)
            try Files.create(file, Array(try TestCertificate.first.chain.utf8))
            await running.waitUntilConnected()
        }
    }

    @Test func `a server that asks for a certificate gets one`() async throws {
        let server = try await RedisServer(tls: .first, clients: .second)
        var settings = try server.settings("rediss", host: "localhost")
        settings.caFile = TestCertificate.first.path
        try await withClient(settings) { await $0.waitForLoss() }
        (settings.certificateFile, settings.keyFile) = (TestCertificate.second.path, TestCertificate.second.keyPath)
        try await withClient(settings) { await $0.waitUntilConnected() }
    }

    @Test func `files that cannot be used are told, each with its reason`() async throws {
        let server = try await RedisServer(tls: .first)
        var settings = try server.settings("rediss", host: "localhost")
        settings.caFile = "/nowhere/roots.pem"
        try await withClient(settings) { await $0.waitForLoss("cannot open /nowhere/roots.pem") }
        settings.caFile = TestCertificate.first.keyPath
        try await withClient(settings) { await $0.waitForLoss("the file of trusted roots holds no certificate") }
        settings.caFile = TestCertificate.first.path
        (settings.certificateFile, settings.keyFile) = (TestCertificate.second.path, TestCertificate.first.keyPath)
        try await withClient(settings) { await $0.waitForLoss("the key belongs to another certificate") }
    }
}
