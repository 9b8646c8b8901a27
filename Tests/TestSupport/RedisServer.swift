internal import Concurrency
internal import FileSystem
internal import Glibc

/// A `redis-server` on a loopback port, which keeps nothing on disk and ends with the test.
public final class RedisServer: Sendable {
    /// The rules of an ACL user that can do what is needed, and nothing else. `+@connection` would be too much: with it a
    /// user can close or pause the connections of all others.
    public static let replicaPermissions = [
        "~larder:*", "&larder:*", "+ping", "+select", "+client|setname", "+eval", "+evalsha", "+subscribe", "+publish",
        "+pubsub|numsub", "+time", "+type", "+del", "+set", "+getrange", "+strlen", "+pttl", "+hget", "+hset", "+hmget",
        "+hdel", "+hrandfield", "+sadd", "+srem", "+srandmember", "+lpush", "+lpop", "+lindex", "+lrange", "+ltrim",
    ]

    /// The port on 127.0.0.1, the same after a restart.
    public let port: Int
    private let arguments: [String]
    private let listens: [String]
    private let directory: TemporaryDirectory
    private let process = Mutex<pid_t?>(nil)

    /// Starts the server, and returns when it takes connections.
    ///
    /// - Parameters:
    ///   - arguments: further settings, such as `--requirepass` and its value, or `--user` and the rules of one.
    ///   - tls: the certificate that the server shows; nil for plain TCP.
    ///   - clients: the certificate that clients must show, or one of its issue; nil for none.
    public init(
        _ arguments: [String] = [], tls: TestCertificate? = nil, clients: TestCertificate? = nil, port: Int? = nil
    ) async throws {
        let port = try port ?? FreePort.pick()
        self.port = port
        self.arguments = arguments
        directory = try TemporaryDirectory()
        listens =
            tls.map { tls in
                [
                    "--port", "0", "--tls-port", "\(port)", "--tls-cert-file", tls.path, "--tls-key-file", tls.keyPath,
                    "--tls-ca-cert-file", (clients ?? tls).path, "--tls-auth-clients", clients == nil ? "no" : "yes",
                ]
            } ?? ["--port", "\(port)"]
        try await start()
    }

    deinit { stop() }

    /// Starts it again after `stop`, empty.
    public func start() async throws {
        let common = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        let pid = try Spawn.start(
            "redis-server", listens + common + arguments, environment: ["PATH=/usr/local/bin:/usr/bin:/bin"],
            directory: directory.path, output: directory("output"), error: directory("error"))
        process.withLock { $0 = pid }
        do {
            try await eventually { isListening }
        } catch {
            throw NoRedisServer(
                output: (try? Files.read(directory("output"))).map { String(decoding: $0, as: UTF8.self) } ?? "")
        }
    }

    /// Ends it at once, as a crash would. More than once does no harm.
    public func stop() {
        guard
            let pid = process.withLock({ pid in
                defer { pid = nil }
                return pid
            })
        else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    /// Has it do nothing until `resume`; the system still takes connections for it.
    public func pause() {
        if let pid = process.withLock({ $0 }) { kill(pid, SIGSTOP) }
    }

    /// Ends a pause.
    public func resume() {
        if let pid = process.withLock({ $0 }) { kill(pid, SIGCONT) }
    }

    private var isListening: Bool {
        let descriptor = LoopbackSocket.connecting(to: port)
        defer { close(descriptor) }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&waiting, 1, 1000) == 1 && waiting.revents == Int16(POLLOUT)
    }
}

/// The server did not come up; carries its log.
public struct NoRedisServer: Error {
    let output: String
}
