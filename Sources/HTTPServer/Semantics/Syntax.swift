/// The few rules of RFC 9110's grammar that this target needs.
enum HTTPSyntax {
    private static let reserved = ["date", "content-length", "transfer-encoding", "connection"]

    static func isReservedField(_ name: String) -> Bool {
        reserved.contains { isSameName($0.utf8, name.utf8) }
    }

    /// Whether two names are the same but for the case of ASCII letters.
    static func isSameName(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy(isSameLetter)
    }

    @inline(__always)
    static func isSameLetter(_ left: UInt8, _ right: UInt8) -> Bool {
        left == right || (left ^ right == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(left | 0x20))
    }
}
