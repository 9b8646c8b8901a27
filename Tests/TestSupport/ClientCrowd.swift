internal import Glibc

/// Many clients of one server at the same moment, each on a connection of its own that is kept open.
///
/// The calls block, and so are made on a thread of their own.
public final class ClientCrowd: Sendable {
    /// The server's port.
    private let port: Int
    private let connections: Shared<[ClientConnection]>

    /// Connects so many clients.
    ///
    /// - Throws: `NoConnection` when the server or the limit of open files does not allow as many.
    public init(count: Int, port: Int) async throws {
        self.port = port
        Self.raiseLimit()
        let opened = await BackgroundThread.run { (0..<count).compactMap { _ in ClientConnection(to: port) } }
        connections = Shared(opened)
        guard opened.count == count else {
            leave()
            throw NoConnection(opened: opened.count, wanted: count)
        }
    }

    /// Some of the connections could not be opened.
    public struct NoConnection: Error {
        let opened: Int
        let wanted: Int
    }

    /// Sends a request on one connection.
    public func send(_ target: String, by client: Int) async {
        let connection = connections.withLock { $0[client] }
        await BackgroundThread.run { connection.send(target) }
    }

    /// Sends a request as it stands, or the beginning of one, on one connection.
    public func send(text: String, by client: Int) async {
        let connection = connections.withLock { $0[client] }
        await BackgroundThread.run { connection.send(text: text) }
    }

    /// Sends a request on every connection, one right after the other, without waiting for an answer.
    public func sendAll(_ target: String, except absent: Set<Int> = []) async {
        let all = present(absent)
        await BackgroundThread.run { for connection in all { connection.send(target) } }
    }

    /// The answers to what was sent, by client in their order; `nil` where none comes within 20 seconds.
    public func answers(except absent: Set<Int> = []) async -> [ClientAnswer?] {
        let all = present(absent)
        return await BackgroundThread.run { all.map { $0.answer() } }
    }

    /// Resets one connection.
    public func reset(_ client: Int) {
        connections.withLock { $0[client] }.reset()
    }

    /// Closes all connections.
    public func leave() {
        for connection in connections.withLock({ $0 }) { connection.close() }
    }

    private func present(_ absent: Set<Int>) -> [ClientConnection] {
        connections.withLock { all in all.indices.filter { !absent.contains($0) }.map { all[$0] } }
    }

    /// Raises the limit of open files to what the system allows.
    private static func raiseLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// One client's connection. Calls block.
final class ClientConnection: Sendable {
    private let descriptor: Shared<Int32>
    private let rest = Shared<[UInt8]>([])
    /// Whether the answers that are to come have bodies.
    private let hasBodies = Shared<[Bool]>([])

    /// Connects; nil when that fails.
    init?(to port: Int) {
        guard let descriptor = LoopbackSocket.connected(to: port) else { return nil }
        self.descriptor = Shared(descriptor)
    }

    /// Sends a GET.
    func send(_ target: String) {
        send(text: "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    }

    /// Sends a request as it stands, or the beginning of one.
    func send(text: String) {
        hasBodies.withLock { $0.append(!text.hasPrefix("HEAD ")) }
        var left = Array(text.utf8)[...]
        let descriptor = descriptor.withLock { $0 }
        while !left.isEmpty {
            let sent = unsafe left.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            left = left.dropFirst(sent)
        }
    }

    /// The next answer; nil when the connection ends or is silent before it is whole.
    func answer() -> ClientAnswer? {
        var received = rest.withLock { $0 }
        let hasBody = hasBodies.withLock { $0.isEmpty || $0.removeFirst() }
        while true {
            if let (answer, length) = ClientAnswer.first(in: received, hasBody: hasBody) {
                let left = Array(received.dropFirst(length))
                rest.withLock { $0 = left }
                return answer
            }
            guard let more = receive() else { return nil }
            received += more
        }
    }

    /// Ends the connection with a reset.
    func reset() {
        let descriptor = descriptor.withLock { $0 }
        var abort = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &abort, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Ends the connection. More than once does no harm.
    func close() {
        let descriptor = descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    private func receive() -> [UInt8]? {
        let descriptor = descriptor.withLock { $0 }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }
}

/// An answer as it came over the wire.
public struct ClientAnswer: Sendable, Hashable {
    /// The status code.
    public let status: Int
    /// The header lines, by lower-case name.
    public let headers: [String: String]
    /// The body.
    public let body: [UInt8]

    /// An answer that came over no wire.
    public init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first answer in what was received, and how many bytes it takes; nil while it is not whole.
    static func first(in bytes: [UInt8], hasBody: Bool = true) -> (answer: ClientAnswer, length: Int)? {
        guard let end = headEnd(in: bytes) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != ":" }
            headers[name.lowercased()] = String(line.dropFirst(name.count + 1).drop { $0 == " " })
        }
        let announced = headers["content-length"].flatMap { Int($0) } ?? 0
        let length = end + 4 + (hasBody ? announced : 0)
        guard bytes.count >= length, words.count > 1, let status = Int(words[1]) else { return nil }
        return (ClientAnswer(status: status, headers: headers, body: Array(bytes[(end + 4)..<length])), length)
    }

    private static func headEnd(in bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= mark.count else { return nil }
        return (0...(bytes.count - mark.count)).first { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
    }
}
