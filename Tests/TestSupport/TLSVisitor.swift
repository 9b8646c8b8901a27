internal import Glibc

/// A client that asks over one TLS connection to 127.0.0.1, one question at a time.
public final class TLSVisitor: @unchecked Sendable {
    private let descriptor: Int32
    private let session: TLSSession
    private var received: [UInt8] = []

    /// A client whose handshake is done.
    public static func connect(to port: Int, offering offer: TLSOffer = TLSOffer()) async throws -> TLSVisitor {
        try await BackgroundThread.run { Result { try TLSVisitor(port: port, offering: offer) } }.get()
    }

    private init(port: Int, offering offer: TLSOffer) throws {
        guard let descriptor = LoopbackSocket.connected(to: port) else { throw TLSFailure.failed(errno) }
        self.descriptor = descriptor
        do {
            session = try TLSSession(over: descriptor, offering: offer)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// The serial number of the server's certificate.
    public var serial: Int { session.serial }

    /// Asks and waits for the answer.
    public func get(_ target: String) async throws -> ClientAnswer {
        try await BackgroundThread.run { [self] in Result { try answer(to: target) } }.get()
    }

    private func answer(to target: String) throws -> ClientAnswer {
        try session.send(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        while true {
            if let (answer, length) = ClientAnswer.first(in: received) {
                received.removeFirst(length)
                return answer
            }
            received += try session.receive()
        }
    }
}
