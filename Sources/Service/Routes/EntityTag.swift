internal import Crypto
internal import HTTPServer

/// Entity tags, and the comparison that `If-None-Match` asks for (RFC 9110, 13.1.2).
enum EntityTag {
    /// A strong tag of a body's content.
    static func strong(for body: HTTPBody) -> String {
        let hex = SHA256.hash(data: body.bytes).prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return "\"\(hex.joined())\""
    }

    /// Whether a header's list of tags, or `*`, names this tag. Weak comparison: `W/` makes no difference.
    static func matches(_ header: String, _ tag: String) -> Bool {
        header.split(separator: ",").contains { item in
            let candidate = item.trimmed
            return candidate == "*" || candidate == tag || (candidate.hasPrefix("W/") && candidate.dropFirst(2) == tag)
        }
    }
}

extension Substring {
    /// Without the blanks around it.
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...end]
    }
}
