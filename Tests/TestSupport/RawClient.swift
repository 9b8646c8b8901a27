internal import Glibc

/// A blocking client that sends exactly the given bytes. Used on one thread at a time; nothing waits over 20 seconds.
package final class RawClient: @unchecked Sendable {
    package enum Failure: Error, Equatable {
        case refused(Int32)
        case closed(after: Int)
        case timedOut
        case failed(Int32)
    }

    private var descriptor: Int32
    private var pending: [UInt8] = []
    /// Nil where nothing is encrypted.
    package private(set) var session: TLSSession?

    /// Sends the preface before anything is encrypted. For `pause` see `TLSSession`.
    package init(
        port: some BinaryInteger, receiveBuffer: Int32? = nil, preface: [UInt8] = [], tls offer: TLSOffer? = nil,
        pause: (() -> Void)? = nil
    ) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if let receiveBuffer { option(SO_RCVBUF, receiveBuffer) }
        option(SO_RCVTIMEO, timeval(tv_sec: 20, tv_usec: 0))
        option(SO_SNDTIMEO, timeval(tv_sec: 20, tv_usec: 0))
        var address = LoopbackSocket.loopback(port: Int(port))
        let result = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure.refused(errno) }
        try send(preface)
        session = try offer.map { try TLSSession(over: descriptor, offering: $0, pause: pause) }
    }

    /// Connects to a Unix socket.
    package init(unix path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        option(SO_RCVTIMEO, timeval(tv_sec: 20, tv_usec: 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let result = unsafe withUnsafePointer(to: address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Failure.refused(errno) }
    }

    deinit { close() }

    package func send(_ text: String) throws {
        try send([UInt8](text.utf8))
    }

    package func send(_ bytes: [UInt8]) throws {
        if let session { return try throughSession { try session.send(bytes) } }
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                let rest = unsafe bytes.baseAddress.map { unsafe $0 + sent }
                return unsafe Glibc.send(descriptor, rest, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw failure() }
            sent += count
        }
    }

    /// Closes the sending direction; the server's bytes still arrive.
    package func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Sends as much as fits at once, and returns the number of bytes.
    package func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        return unsafe max(0, Glibc.send(descriptor, bytes, bytes.count, flags))
    }

    /// Reads one response, its body by the length that it gives.
    package func receive(bodyless: Bool = false) throws -> RawResponse {
        var response = RawResponse(head: try receiveHead())
        if !bodyless, let length = response["Content-Length"].flatMap({ Int($0) }) {
            response.body = try receive(count: length)
        }
        return response
    }

    /// Reads one response, its body all that comes until the server ends the connection in order.
    package func receiveToEnd() throws -> RawResponse {
        var response = RawResponse(head: try receiveHead())
        do {
            while true { try fill() }
        } catch Failure.closed {
            (response.body, pending) = (pending, [])
        }
        return response
    }

    package func get(_ target: String, headers: String = "") throws -> RawResponse {
        try send("GET \(target) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n")
        return try receive()
    }

    /// Whether the server closes the connection, in whatever way, without another byte.
    package func isClosedByServer() throws -> Bool {
        guard pending.isEmpty else { return false }
        do {
            try fill()
            return false
        } catch Failure.closed {
            return true
        } catch Failure.failed(ECONNRESET) {
            return true
        }
    }

    /// Whether the server ends the connection without another byte, and announces it where it is encrypted. A reset is an
    /// error.
    package func endsInOrder() throws -> Bool {
        guard pending.isEmpty else { return false }
        do {
            if let session { pending = try session.receive() } else { try fill() }
            return false
        } catch Failure.closed {
            return true
        } catch TLSFailure.closed(let isAnnounced) {
            return isAnnounced
        }
    }

    /// Whether an answer, or the end, has come.
    package var hasSomethingToRead: Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK))
        return !pending.isEmpty || count >= 0 || errno != EAGAIN
    }

    package func receive(count: Int) throws -> [UInt8] {
        while pending.count < count { try fill() }
        defer { pending.removeFirst(count) }
        return [UInt8](pending.prefix(count))
    }

    package func finishSending() {
        if let session { return session.finish() }
        shutdown(descriptor, Int32(SHUT_WR))
    }

    package func reset() {
        option(SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        close()
    }

    package func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }

    private func receiveHead() throws -> String {
        let end = [UInt8]("\r\n\r\n".utf8)
        while true {
            if let found = pending.firstRange(of: end) {
                defer { pending.removeSubrange(..<found.upperBound) }
                return String(decoding: pending[..<found.lowerBound], as: UTF8.self)
            }
            try fill()
        }
    }

    private func fill() throws {
        if let session {
            pending += try throughSession { try session.receive() }
            return
        }
        let count = unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { memory in
            let count = unsafe recv(descriptor, memory.baseAddress, memory.count, 0)
            if count > 0 { unsafe pending += UnsafeRawBufferPointer(memory)[..<count] }
            return count
        }
        if count == 0 { throw Failure.closed(after: pending.count) }
        if count < 0 { throw failure() }
    }

    private func throughSession<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as TLSFailure {
            switch error {
            case .timedOut: throw Failure.timedOut
            case .failed(let code): throw Failure.failed(code)
            case .closed, .handshake: throw Failure.closed(after: pending.count)
            }
        }
    }

    private func failure() -> Failure {
        errno == EAGAIN ? .timedOut : .failed(errno)
    }

    private func option<Value: BitwiseCopyable>(_ name: Int32, _ value: Value) {
        var value = value
        unsafe setsockopt(descriptor, SOL_SOCKET, name, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

/// A response as it was on the wire.
package struct RawResponse: Sendable {
    package var statusLine: String
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]

    package init(head: String, body: [UInt8] = []) {
        var lines = head.split(separator: "\r\n").map(String.init)
        statusLine = lines.isEmpty ? "" : lines.removeFirst()
        fields = lines.map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
        self.body = body
    }

    package var status: Int { statusLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The fields by lower-case name.
    package var headers: [String: String] { Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { $1 } }

    /// The values of a field, separated by commas; nil when there is none.
    package subscript(name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
