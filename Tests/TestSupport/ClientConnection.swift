internal import Glibc

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
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
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
