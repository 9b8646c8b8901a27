/// Percent-encoding by RFC 3986.
enum PercentEncoding {
    /// A name or value of a query: only unreserved characters stay.
    static func component(_ text: String) -> String {
        encode(text, keeping: isUnreserved)
    }

    /// A path as somebody wrote it: what may not stand in a URL is encoded, what already is encoded stays.
    static func path(_ text: String) -> String {
        encode(text) { isUnreserved($0) || "/%:@!$&'()*+,;=?".utf8.contains($0) }
    }

    /// A URL that somebody else wrote: what it may mean stays as it is, only blanks and the like are encoded.
    static func url(_ text: String) -> String {
        encode(text) { $0 > 0x20 && $0 < 0x7F && !"\"<>^`{|}".utf8.contains($0) }
    }

    private static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.flatMap { byte in
            isKept(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "-._~".utf8.contains(byte)
        }
    }
}
