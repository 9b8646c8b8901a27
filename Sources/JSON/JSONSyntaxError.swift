/// Why a text is not JSON, and where.
public struct JSONSyntaxError: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Reason: Sendable, Hashable {
        /// This byte, or nil for the end of the text, stands where something else is expected.
        case unexpected(UInt8?, expected: String)
        /// A string holds bytes that are not UTF-8.
        case invalidUTF8
        /// A string holds a control character that must be escaped.
        case controlCharacter(UInt8)
        /// A backslash is followed by a byte that makes no escape.
        case invalidEscape(UInt8)
        /// An escape is half of a surrogate pair, which stands for no character.
        case loneSurrogate
        /// An object names a member twice.
        case duplicateKey(String)
        /// Arrays and objects are nested deeper than this.
        case tooDeep(limit: Int)
    }

    /// What is wrong.
    public let reason: Reason
    /// How many bytes stand before the place.
    public let offset: Int
    /// The line of the place, from 1.
    public let line: Int
    /// The character of the line, from 1.
    public let column: Int

    init(_ reason: Reason, in bytes: [UInt8], at offset: Int) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.reason = reason
        self.offset = offset
        self.line = line
        self.column = column
    }
}
