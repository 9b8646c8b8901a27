/// How the bytes of an answer are coded on their way (RFC 9110, 8.4.1).
enum ContentCoding: Sendable, Hashable {
    /// As they are.
    case identity
    /// In the gzip format.
    case gzip
}
