/// Writes texts such that both forms take them.
///
/// They are taken byte by byte: to Swift the end of a line and what stands before it may be one character.
enum MetricEscapes {
    /// The value of a label, to stand between quotes.
    static func label(_ text: String) -> String { escaped(text, quote: #"\""#) }

    /// What stands after `# HELP`. Quotes are left alone there by one form and escaped by the other, so there are none.
    static func help(_ text: String) -> String { escaped(text, quote: "'") }

    private static func escaped(_ text: String, quote: String) -> String {
        guard text.utf8.contains(where: isSpecial) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
            case UInt8(ascii: "\""): bytes += quote.utf8
            case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
    }
}
