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
