internal import COpenSSL
internal import Glibc

/// The client's end of a TLS session over a connected socket, which stays its owner's. Trusts every certificate. Calls
/// block; one thread at a time.
@safe
public final class TLSSession: @unchecked Sendable {
    @safe
    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    private static let context = unsafe Context(pointer: SSL_CTX_new(TLS_client_method()))

    private let session: OpaquePointer

    /// Makes the handshake. Where there is a `pause`, it comes when half of what the client says first has been sent.
    public init(over descriptor: Int32, offering offer: TLSOffer, pause: (() -> Void)? = nil) throws(TLSFailure) {
        guard let session = unsafe SSL_new(Self.context.pointer) else { throw .handshake("no memory") }
        unsafe self.session = session
        unsafe SSL_set_security_level(session, 0)
        unsafe SSL_ctrl(session, SSL_CTRL_SET_MIN_PROTO_VERSION, offer.versions.lowerBound.rawValue, nil)
        unsafe SSL_ctrl(session, SSL_CTRL_SET_MAX_PROTO_VERSION, offer.versions.upperBound.rawValue, nil)
        let protocols = offer.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !protocols.isEmpty { unsafe SSL_set_alpn_protos(session, protocols, UInt32(protocols.count)) }
        if let ciphers = offer.ciphers { unsafe SSL_set_cipher_list(session, ciphers) }
        if let groups = offer.groups {
            _ = unsafe groups.withCString {
                unsafe SSL_ctrl(session, SSL_CTRL_SET_GROUPS_LIST, 0, UnsafeMutableRawPointer(mutating: $0))
            }
        }
        if let pause { try greet(over: descriptor, pause: pause) }
        unsafe SSL_set_fd(session, descriptor)
        ERR_clear_error()
        guard unsafe SSL_connect(session) == 1 else {
            let words = unsafe ERR_reason_error_string(ERR_peek_last_error())
            throw .handshake(unsafe words.map { unsafe String(cString: $0) } ?? "errno \(errno)")
        }
    }

    deinit {
        unsafe SSL_free(session)
        ERR_clear_error()
    }

    /// Such as `TLSv1.3`.
    public var version: String { unsafe String(cString: SSL_get_version(session)) }

    /// The protocol chosen by ALPN; nil when the server did not say.
    public var chosenProtocol: String? {
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(session, &start, &count)
        guard let start = unsafe start else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// The serial number of the server's certificate.
    public var serial: Int {
        unsafe ASN1_INTEGER_get(X509_get0_serialNumber(SSL_get0_peer_certificate(session)))
    }

    /// Sends all of it.
    public func send(_ bytes: [UInt8]) throws(TLSFailure) {
        guard !bytes.isEmpty else { return }
        ERR_clear_error()
        let count = unsafe SSL_write(session, bytes, Int32(bytes.count))
        guard count == bytes.count else { throw failure(count) }
    }

    /// Receives at least a byte.
    public func receive() throws(TLSFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        ERR_clear_error()
        let count = unsafe SSL_read(session, &bytes, Int32(bytes.count))
        guard count > 0 else { throw failure(count) }
        return Array(bytes.prefix(Int(count)))
    }

    /// Announces that nothing more will be sent.
    public func finish() {
        unsafe SSL_shutdown(session)
        ERR_clear_error()
    }

    /// Sends the first message from memory, because OpenSSL would send it whole.
    private func greet(over descriptor: Int32, pause: () -> Void) throws(TLSFailure) {
        unsafe SSL_set_bio(session, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
        unsafe SSL_connect(session)
        ERR_clear_error()
        var message = [UInt8](repeating: 0, count: 1 << 14)
        let count = unsafe max(0, Int(BIO_read(SSL_get_wbio(session), &message, Int32(message.count))))
        try send(plain: message[..<(count / 2)], over: descriptor)
        pause()
        try send(plain: message[(count / 2)..<count], over: descriptor)
    }

    private func send(plain bytes: ArraySlice<UInt8>, over descriptor: Int32) throws(TLSFailure) {
        let bytes = Array(bytes)
        guard unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw .failed(errno)
        }
    }

    private func failure(_ result: Int32) -> TLSFailure {
        let error = errno
        switch unsafe SSL_get_error(session, result) {
        case SSL_ERROR_ZERO_RETURN: return .closed(isAnnounced: true)
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .timedOut
        case SSL_ERROR_SYSCALL where error != 0: return .failed(error)
        default: return .closed(isAnnounced: false)
        }
    }
}

/// A client's offer in the TLS handshake.
public struct TLSOffer: Sendable, Hashable {
    /// The versions of TLS that a client may speak.
    public enum Version: Int, Sendable, Hashable, Comparable {
        case v11 = 0x302
        case v12 = 0x303
        case v13 = 0x304

        /// Older ones first.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    /// The versions it speaks.
    public let versions: ClosedRange<Version>
    /// The protocols for ALPN, best first; none to leave the extension out.
    public let protocols: [String]

    /// The cipher suites up to TLS 1.2, in OpenSSL's names; nil for what OpenSSL has.
    public let ciphers: String?
    /// The groups for the exchange of keys, in OpenSSL's names; nil for what OpenSSL has.
    public let groups: String?

    /// An offer.
    public init(
        _ versions: ClosedRange<Version> = .v12 ... .v13, protocols: [String] = [], ciphers: String? = nil,
        groups: String? = nil
    ) {
        self.versions = versions
        self.protocols = protocols
        self.ciphers = ciphers
        self.groups = groups
    }
}

/// Why a client's TLS session does not go on.
public enum TLSFailure: Error, Sendable, Equatable {
    /// The handshake failed, for this reason in OpenSSL's words.
    case handshake(String)
    /// The server ended the connection, having announced it or not.
    case closed(isAnnounced: Bool)
    /// Nothing came for as long as the socket waits.
    case timedOut
    /// The system's error.
    case failed(Int32)
}
