/// What a client offers in its handshake.
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
    /// What it speaks above TLS, best first; none to say nothing of it.
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
