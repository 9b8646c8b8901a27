internal import Glibc

/// One connection of a `ScriptedUpstream`, as its script sees it. Calls block; the script has a thread of its own.
public final class UpstreamConnection: Sendable {
    /// 0 for the first connection that the upstream took.
    public let index: Int
    let descriptor: Int32
    private let report: @Sendable (UpstreamEvent) -> Void

    init(index: Int, descriptor: Int32, report: @escaping @Sendable (UpstreamEvent) -> Void) {
        self.index = index
        self.descriptor = descriptor
        self.report = report
    }

    /// The head of the next request; nil when the client has closed the connection.
    public func readRequest() -> String? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            var byte: UInt8 = 0
            guard unsafe recv(descriptor, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        let text = String(decoding: head, as: UTF8.self)
        report(.request(connection: index, head: text))
        return text
    }

    /// The next bytes, such as a request's body; nil when the client closes the connection before they are there.
    public func readBytes(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let received = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard received > 0 else { return nil }
            bytes += buffer.prefix(received)
        }
        return bytes
    }

    /// Sends a text as it is.
    public func write(_ text: String) {
        write(Array(text.utf8))
    }

    /// Sends bytes as they are; stops without a word when the client is gone.
    public func write(_ bytes: [UInt8]) {
        var left = bytes[...]
        while !left.isEmpty {
            let sent = unsafe left.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            left = left.dropFirst(sent)
        }
    }

    /// A whole response that keeps the connection.
    public func respond(status: String = "200 OK", headers: String = "", body: [UInt8]) {
        write("HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\n\(headers)\r\n")
        write(body)
    }

    /// A whole response that keeps the connection.
    public func respond(status: String = "200 OK", headers: String = "", body: String = "") {
        respond(status: status, headers: headers, body: Array(body.utf8))
    }

    /// Waits until the client has closed the connection, and reports it.
    public func waitForClose() {
        var byte: UInt8 = 0
        while unsafe recv(descriptor, &byte, 1, 0) == 1 {}
        report(.closedByClient(connection: index))
    }

    /// Sends one byte after another until the client has closed the connection.
    public func trickle(every pause: Duration) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(pause / .milliseconds(1))
        while unsafe poll(&waiting, 1, milliseconds) == 0 { write("x") }
    }

    /// Sends a text in pieces with a pause before each; stops when the client closes the connection.
    public func trickle(_ text: String, pieces: Int, every pause: Duration) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(pause / .milliseconds(1))
        var left = Array(text.utf8)[...]
        let size = max(1, (left.count + pieces - 1) / pieces)
        while !left.isEmpty, unsafe poll(&waiting, 1, milliseconds) == 0 {
            write(Array(left.prefix(size)))
            left = left.dropFirst(size)
        }
    }

    /// Passes bytes on between the client and a loopback port, until one of them is done.
    func relay(to port: Int) {
        let other = LoopbackSocket.connecting(to: port)
        defer { _ = Glibc.close(other) }
        let ends = [descriptor, other]
        var waiting = ends.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var connecting = pollfd(fd: other, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&connecting, 1, 10_000)
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while unsafe poll(&waiting, 2, -1) > 0 {
            for index in 0..<2 where waiting[index].revents != 0 {
                let count = unsafe recv(ends[index], &buffer, buffer.count, 0)
                guard count > 0, unsafe send(ends[1 - index], buffer, count, Int32(MSG_NOSIGNAL)) == count else {
                    return
                }
            }
        }
    }

    /// Makes the end of the script a reset instead of an orderly close.
    public func resetAtEnd() {
        var abort = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &abort, socklen_t(MemoryLayout<linger>.size))
    }

    func close() {
        _ = Glibc.close(descriptor)
    }

    /// Lets blocked calls of the script return.
    func interrupt() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
