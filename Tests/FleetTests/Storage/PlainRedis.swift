import Concurrency
import Fleet
import Glibc
import Logging
import Redis
import TestSupport
import Testing

/// A blocking connection to a Redis server, independent of the client of the service.
final class PlainRedis: RedisCommanding {
    private struct Conversation {
        let descriptor: Int32
        var unread: [UInt8] = []

        mutating func fill() throws(RedisError) {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw .disconnected("errno \(errno)") }
            unread += buffer.prefix(count)
        }

        mutating func line() throws(RedisError) -> String {
            while true {
                if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { unread.removeFirst(end + 1) }
                    return String(decoding: unread[..<(end - 1)], as: UTF8.self)
                }
                try fill()
            }
        }

        mutating func reply() throws(RedisError) -> RedisValue {
            let line = try line()
            let rest = String(line.dropFirst())
            switch line.first {
            case "+": return .status(rest)
            case "-": return .error(rest)
            case ":": return .integer(Int(rest) ?? 0)
            case "$":
                guard let count = Int(rest), count >= 0 else { return .null }
                while unread.count < count + 2 { try fill() }
                defer { unread.removeFirst(count + 2) }
                return .bytes(Array(unread[..<count]))
            default:
                guard let count = Int(rest), count >= 0 else { return .null }
                var items: [RedisValue] = []
                for _ in 0..<count { items.append(try reply()) }
                return .array(items)
            }
        }
    }

    private let conversation: Mutex<Conversation>
    private let descriptor: Int32
    var events: AsyncStream<RedisEvent> { AsyncStream { $0.finish() } }

    init(port: Int) {
        descriptor = LoopbackSocket.connecting(to: port)
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&waiting, 1, 5000)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        conversation = Mutex(Conversation(descriptor: descriptor))
    }

    deinit { close(descriptor) }

    func run() async {}

    func send(_ commands: [[[UInt8]]], within limit: Duration) async throws(RedisError) -> [RedisValue] {
        try conversation.withLock { conversation throws(RedisError) in
            var bytes: [UInt8] = []
            for command in commands {
                bytes += Array("*\(command.count)\r\n".utf8)
                for word in command { bytes += Array("$\(word.count)\r\n".utf8) + word + Array("\r\n".utf8) }
            }
            while !bytes.isEmpty {
                let count = unsafe write(conversation.descriptor, bytes, bytes.count)
                guard count > 0 else { throw .disconnected("errno \(errno)") }
                bytes.removeFirst(count)
            }
            var replies: [RedisValue] = []
            for _ in commands { replies.append(try conversation.reply()) }
            return replies
        }
    }

    /// Sends one command; a refusal is the reply.
    @discardableResult
    func callAsFunction(_ words: String...) async throws -> RedisValue {
        try await send([words.map { Array($0.utf8) }], within: .seconds(5))[0]
    }

    /// Reads what the server sends by itself.
    func next() throws -> RedisValue {
        try conversation.withLock { conversation throws(RedisError) in try conversation.reply() }
    }
}

/// A storage on a server of its own, as a user with the documented permissions, beside an operator who may do all.
struct StorageFixture {
    static let keys = StorageKeys(name: "catalogue", fingerprint: "0123456789ab")
    static let prefix = "larder:1:{catalogue:0123456789ab}:"

    let server: RedisServer
    let admin: PlainRedis
    let user: PlainRedis
    let storage: RedisStorage
    let log = LogRecorder()

    init(keep: Int = 3) async throws {
        server = try await RedisServer()
        admin = PlainRedis(port: server.port)
        let rules = ["ACL", "SETUSER", "larder", "on", ">secret", "resetkeys", "resetchannels", "-@all"]
        let made = try await admin.send(
            [(rules + RedisServer.replicaPermissions).map { Array($0.utf8) }], within: .seconds(5))
        try #require(made == [.status("OK")])
        user = PlainRedis(port: server.port)
        try #require(try await user("AUTH", "larder", "secret") == .status("OK"))
        storage = RedisStorage(client: user, keys: Self.keys, keep: keep, logger: log.logger)
    }

    @discardableResult
    func perform(_ command: StorageCommand, blob: [UInt8]? = nil) async throws(StorageFault) -> StorageReply {
        try await storage.perform(command, blob: blob, within: .seconds(5)).get()
    }

    func read() async throws -> StorageContents {
        guard case .contents(let contents) = try await perform(.read) else { throw StorageFault.silent }
        return contents
    }

    static func request(
        nonce: String = "n1", purpose: TurnRequest.Purpose = .refresh, seenEpoch: Int = 0, known: Int = 0,
        isForced: Bool = false
    ) -> StorageCommand {
        .acquire(
            TurnRequest(
                nonce: nonce, member: "a", milliseconds: 60_000, purpose: purpose, seenEpoch: seenEpoch,
                knownStartedAt: known, isForced: isForced))
    }

    /// Takes the turn, whatever was found and when.
    func claim(nonce: String = "n1") async throws -> Claim {
        guard case .granted(let claim, _, _) = try await perform(Self.request(nonce: nonce, isForced: true)) else {
            throw StorageFault.refused("not granted")
        }
        return claim
    }

    /// The catalogue with a number, whose blob has ten bytes.
    static func catalogue(_ number: Int, bytes: Int = 10) -> CommittedCatalogue {
        CommittedCatalogue(
            revision: hex(number, 32), count: number, bytes: bytes, sha256: hex(number, 64), writer: "a\"\\é")
    }

    static func hex(_ number: Int, _ length: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: length - digits.count) + digits
    }

    static let blob = [UInt8](repeating: 7, count: 10)

    /// Commits a catalogue as members do.
    @discardableResult
    func commit(_ number: Int) async throws -> CataloguePointer {
        let claim = try await claim()
        try await perform(.writeBlob(sha256: Self.hex(number, 64)), blob: Self.blob)
        guard case .committed(let pointer) = try await perform(.commit(claim, Self.catalogue(number))) else {
            throw StorageFault.refused("not committed")
        }
        return pointer
    }

    func hasBlob(_ number: Int) async throws -> Bool {
        try await admin("EXISTS", Self.prefix + "blob:" + Self.hex(number, 64)) == .integer(1)
    }
}
