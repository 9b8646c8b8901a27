internal import COpenSSL
internal import Glibc

/// An upstream that encrypts, and answers every request with a text, or what it knows of the connection: a line each of
/// `host`, `client`, `connection`, `name` and `resumed`.
public final class TLSUpstream: Sendable {
    private let upstream: ScriptedUpstream

    /// - Parameter clients: the certificate of the authority whose clients are let in; nil for any client.
    public init(_ own: CertificateAuthority.Issued, clients: String? = nil, answer: String? = nil) throws {
        let context = try TLSServerContext(own, clients: clients)
        upstream = ScriptedUpstream { connection in
            guard let session = TLSServerSession(context, over: connection.descriptor) else {
                // Closed earlier, the connection would be reset, and the client not see the alert.
                return connection.waitForClose()
            }
            while let head = session.readRequest() {
                let host = head.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }?.dropFirst(6) ?? ""
                let facts = ["host \(host)", "connection \(connection.index)"] + session.facts
                let body = answer ?? facts.joined(separator: "\n")
                session.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
    }

    /// The port on 127.0.0.1.
    public var port: Int { upstream.port }
    /// Its root.
    public var url: String { "https://localhost:\(port)/" }

    /// Stops listening and closes all connections.
    public func stop() { upstream.stop() }
}

@safe
private final class TLSServerContext: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ own: CertificateAuthority.Issued, clients: String?) throws {
        guard let pointer = unsafe SSL_CTX_new(TLS_server_method()) else { throw NoCertificate(output: "no memory") }
        unsafe self.pointer = pointer
        var isUsed =
            unsafe SSL_CTX_use_certificate_chain_file(pointer, own.certificate) == 1
            && SSL_CTX_use_PrivateKey_file(pointer, own.key, SSL_FILETYPE_PEM) == 1
            && SSL_CTX_set_session_id_context(pointer, "test", 4) == 1
        if let clients {
            isUsed = unsafe isUsed && SSL_CTX_load_verify_file(pointer, clients) == 1
            unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        }
        guard isUsed else { throw NoCertificate(output: "OpenSSL refuses the certificate") }
    }

    deinit { unsafe SSL_CTX_free(pointer) }
}

/// The server's end of a session. Calls block.
@safe
private final class TLSServerSession {
    private let session: OpaquePointer

    /// Makes the handshake; nil if it fails.
    init?(_ context: TLSServerContext, over descriptor: Int32) {
        guard let session = unsafe SSL_new(context.pointer) else { return nil }
        unsafe self.session = session
        unsafe SSL_set_fd(session, descriptor)
        guard unsafe SSL_accept(session) == 1 else {
            ERR_clear_error()
            return nil
        }
    }

    deinit {
        unsafe SSL_free(session)
        ERR_clear_error()
    }

    var facts: [String] {
        let name = unsafe SSL_get_servername(session, TLSEXT_NAMETYPE_host_name).map { unsafe String(cString: $0) }
        return ["client \(client)", "name \(name ?? "-")", "resumed \(unsafe SSL_session_reused(session))"]
    }

    private var client: String {
        guard let certificate = unsafe SSL_get0_peer_certificate(session) else { return "-" }
        var text = [CChar](repeating: 0, count: 256)
        unsafe X509_NAME_oneline(X509_get_subject_name(certificate), &text, Int32(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func readRequest() -> String? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            var byte: UInt8 = 0
            guard unsafe SSL_read(session, &byte, 1) == 1 else { return nil }
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe SSL_write(session, bytes, Int32(bytes.count))
    }
}
