internal import CEventShim
internal import Concurrency
internal import EventLoop
internal import FileSystem
internal import Glibc
internal import Networking
internal import Text

/// Makes connections ready for commands: reads the files, resolves the host, connects to one of its addresses, logs in.
struct RedisConnector: Sendable {
    let settings: RedisSettings
    private let loop: EventLoop
    private let clock: any Clock<Duration>
    private let disk = BlockingQueue("larder redis files")
    private let resolver = BlockingQueue("larder redis names")
    /// The time limit of each step: the files, the addresses, each address with TLS, the log-in.
    private static let limit = Duration.seconds(2)
    /// The longest file that is read; bundles of certificates are shorter.
    private static let longestFile = 4 << 20

    init(loop: EventLoop, settings: RedisSettings, clock: any Clock<Duration>) {
        (self.loop, self.settings, self.clock) = (loop, settings, clock)
    }

    func connect(
        subscribingTo channel: String? = nil, _ onMessage: (@Sendable ([UInt8]) -> Void)? = nil
    ) async throws(RedisError) -> RedisConnection {
        let target = RedisTarget(
            host: settings.url.host, tls: settings.url.isTLS ? try await tls() : nil, maxReply: settings.maxReply,
            maxOutput: settings.maxReply * 2)
        let connection = try await connect(to: try await addresses(), target, onMessage)
        do throws(RedisError) {
            try await logIn(connection)
            if let channel { try await subscribe(connection, channel) }
            return connection
        } catch {
            await connection.close()
            throw error
        }
    }

    private func connect(
        to addresses: [RedisSocketAddress], _ target: RedisTarget, _ onMessage: (@Sendable ([UInt8]) -> Void)?
    ) async throws(RedisError) -> RedisConnection {
        var problem = RedisError.disconnected("the host has no address")
        for address in addresses {
            let connection = RedisConnection(on: loop, clock: clock, onMessage: onMessage)
            do throws(RedisError) {
                try await connection.open(address, target, within: Self.limit)
                return connection
            } catch {
                problem = error
                await connection.close()
            }
            if Task.isCancelled { break }
        }
        throw problem
    }

    /// Redis up to 5 has no users, and managed services may refuse `CLIENT`.
    private func logIn(_ connection: RedisConnection) async throws(RedisError) {
        let url = settings.url
        var password = url.password
        if let credential = settings.password { password = await credential.current() }
        var commands = [["PING"], ["CLIENT", "SETNAME", settings.clientName]]
        if url.database != 0 { commands.insert(["SELECT", "\(url.database)"], at: 0) }
        if url.username != nil || password != nil {
            commands.insert(["AUTH", url.username, password?.reveal() ?? ""].compactMap { $0 }, at: 0)
        }
        let replies = try await connection.send(commands.map { $0.map { Array($0.utf8) } }, within: Self.limit)
        for (command, reply) in zip(commands, replies) {
            guard case .error(let text) = reply else { continue }
            let isNeeded = command[0] != "CLIENT" && !(command[0] == "PING" && text.hasPrefix("NOPERM"))
            if isNeeded { throw .refused(text) }
        }
    }

    private func subscribe(_ connection: RedisConnection, _ channel: String) async throws(RedisError) {
        let reply = try await connection.send([[Array("SUBSCRIBE".utf8), Array(channel.utf8)]], within: Self.limit)
        if case .error(let text) = reply[0] { throw .refused(text) }
    }

    private func addresses() async throws(RedisError) -> [RedisSocketAddress] {
        let (host, port) = (settings.url.host, settings.url.port)
        let found = await resolver.run(within: Self.limit, clock: clock) {
            Result { () throws(RedisError) in try RedisSocketAddress.resolve(host, port: port) }
        }
        guard let found else { throw .disconnected("the address of \(host) is not known in time") }
        return try found.get()
    }

    private func tls() async throws(RedisError) -> RedisTLS {
        let settings = settings
        let made = await disk.run(within: Self.limit, clock: clock) {
            Result { () throws(RedisError) in
                try RedisTLS(
                    roots: Self.text(settings.caFile), chain: Self.text(settings.certificateFile),
                    key: Self.text(settings.keyFile))
            }
        }
        guard let made else { throw .disconnected("the certificates' files cannot be read in time") }
        return try made.get()
    }

    private static func text(_ path: String?) throws(RedisError) -> [UInt8] {
        guard let path else { return [] }
        do throws(FileSystemError) {
            let bytes = try Files.read(path, prefix: longestFile)
            // Empty content would mean the system's roots.
            if bytes.isEmpty { throw FileSystemError(.read, path: path, code: 0) }
            return bytes
        } catch {
            throw .disconnected(error.code == 0 ? "\(path) is empty" : "\(error)")
        }
    }
}

/// The settings of a connection besides its address.
struct RedisTarget: Sendable {
    /// The name or address that the server's certificate must contain.
    let host: String
    /// nil for plain TCP.
    let tls: RedisTLS?
    let maxReply: Int
    let maxOutput: Int
}

/// Trusted roots and the client's own certificate.
@safe
final class RedisTLS: @unchecked Sendable {
    let shim: OpaquePointer

    /// Parses PEM texts; empty ones for the system's roots, and for no certificate. May read the system's roots, so
    /// call it off the event loops.
    init(roots: [UInt8], chain: [UInt8], key: [UInt8]) throws(RedisError) {
        var problem = [CChar](repeating: 0, count: 256)
        let made = unsafe roots.withUnsafeBytes { roots in
            unsafe chain.withUnsafeBytes { chain in
                unsafe key.withUnsafeBytes { key in
                    var source = unsafe larder_trust_source(
                        roots: Self.text(roots), roots_size: roots.count, chain: Self.text(chain),
                        chain_size: chain.count, key: Self.text(key), key_size: key.count)
                    return unsafe larder_trust_new(&source, &problem, problem.count)
                }
            }
        }
        guard let made = unsafe made else {
            let text = problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .disconnected("TLS: \(String(decoding: text, as: UTF8.self))")
        }
        unsafe shim = made
    }

    deinit { unsafe larder_trust_free(shim) }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<CChar>? {
        unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    }
}

/// A `sockaddr` of any family.
struct RedisSocketAddress: Sendable, Hashable {
    let bytes: [UInt8]

    /// The addresses of a host, in order of preference. Queries the system's resolver, which may take long.
    static func resolve(_ host: String, port: Int) throws(RedisError) -> [RedisSocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = unsafe getaddrinfo(host, "\(port)", &hints, &list)
        guard failure == 0 else {
            throw .disconnected("\(host): \(unsafe String(cString: gai_strerror(failure)))")
        }
        defer { unsafe freeaddrinfo(list) }
        var found: [RedisSocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            let bytes = unsafe UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
            found.append(RedisSocketAddress(bytes: unsafe Array(bytes)))
            unsafe next = entry.ai_next
        }
        return found
    }
}
