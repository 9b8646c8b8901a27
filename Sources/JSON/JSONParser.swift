internal import Text

/// Reads JSON texts, strictly by RFC 8259.
///
/// The text must be UTF-8; a byte order mark before it is skipped. Beyond the grammar it refuses a name that an object
/// uses twice, whose meaning would depend on the reader, and half of a surrogate pair.
package struct JSONParser: Sendable {
    /// The deepest nesting of arrays and objects.
    package let depthLimit: Int

    /// The depth limit of texts from elsewhere.
    package static let usualDepthLimit = 512

    /// A parser. The depth limit keeps a hostile text from exhausting the stack.
    package init(depthLimit: Int = JSONParser.usualDepthLimit) {
        self.depthLimit = depthLimit
    }

    package func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        try parse(bytes, in: bytes.indices)
    }

    /// The value of a part of a text; places in errors count from the start of the whole text.
    package func parse(_ bytes: [UInt8], in range: Range<Int>) throws(JSONSyntaxError) -> JSONValue {
        var reader = JSONReader(bytes, in: range, depthLimit: depthLimit)
        let value = try reader.value()
        try reader.finish()
        return value
    }

    /// Reads the elements of an array one by one, so that the tree of a long array never exists as a whole.
    /// - Parameters:
    ///   - range: the part of `bytes` that is the array; places count from the start of `bytes`.
    ///   - pass: returns the offset after the element at an offset to skip it, or nil to have it read.
    ///   - body: receives an element that was read, and its place.
    /// - Throws: `JSONSyntaxError` when the part is no array, and what the body throws.
    package func forEachElement(
        of bytes: [UInt8], in range: Range<Int>, passing pass: (Int) -> Int? = { _ in nil },
        else body: (JSONValue, Range<Int>) throws -> Void
    ) throws {
        var reader = JSONReader(bytes, in: range, depthLimit: depthLimit)
        try reader.forEachElement(passing: pass, else: body)
        try reader.finish()
    }

    /// The names and places of an object's members, whose values are skipped and not checked beyond their brackets
    /// and quotes.
    /// - Parameter range: the part of `bytes` that is the object, all by default; places count from the start of `bytes`.
    package func parseMemberRanges(
        _ bytes: [UInt8], in range: Range<Int>? = nil
    ) throws(JSONSyntaxError) -> [JSONMemberRange] {
        var reader = JSONReader(bytes, in: range ?? bytes.indices, depthLimit: depthLimit)
        let ranges = try reader.memberRanges()
        try reader.finish()
        return ranges
    }
}

/// The name of an object's member, and where in the text its value stands.
package struct JSONMemberRange: Sendable, Hashable {
    package let key: String
    /// The bytes of the value, without white space around them.
    package let range: Range<Int>
}

/// The first fault of a text that is not JSON, and its place.
public struct JSONSyntaxError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// This byte, or nil for the end of the text, stands where something else is expected.
        case unexpected(UInt8?, expected: String)
        /// A string holds bytes that are not UTF-8.
        case invalidUTF8
        /// A string holds a control character that must be escaped.
        case controlCharacter(UInt8)
        /// A backslash is followed by a byte that is not a valid escape.
        case invalidEscape(UInt8)
        /// An escape is half of a surrogate pair, which stands for no character.
        case loneSurrogate
        case duplicateKey(String)
        /// Arrays and objects are nested deeper than this.
        case tooDeep(limit: Int)
    }

    package let reason: Reason
    /// The number of bytes before the place.
    package let offset: Int
    /// The line of the place, from 1.
    package let line: Int
    /// The character of the line, from 1.
    package let column: Int

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

extension JSONSyntaxError: CustomStringConvertible {
    /// The sentence, as `line 3, column 7: expected "," or "]", found "}"`.
    public var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unexpected(let byte, let expected): "expected \(expected), found \(Self.name(byte))"
        case .invalidUTF8: "a string that is not UTF-8"
        case .controlCharacter(let byte): "control character \(byte) in a string must be escaped"
        case .invalidEscape(let byte): "\(Self.name(byte)) is not a valid escape"
        case .loneSurrogate: "half of a surrogate pair"
        case .duplicateKey(let key): "duplicate key \"\(TextExcerpt(key))\""
        case .tooDeep(let limit): "nested deeper than \(limit)"
        }
    }

    private static func name(_ byte: UInt8?) -> String {
        guard let byte else { return "the end" }
        return (0x21..<0x7F).contains(byte) ? "\"\(Unicode.Scalar(byte))\"" : "byte \(byte)"
    }
}

/// The grammar of numbers, shared by the parser and by literals from elsewhere.
enum JSONNumberGrammar {
    /// Whether the whole text is one number.
    static func matches(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard case .number(let end) = scan(bytes.span, from: 0, to: bytes.count) else { return false }
        return end == bytes.count
    }

    /// The result of a scan.
    enum Scan {
        /// A number that ends before this offset.
        case number(end: Int)
        /// No number: a digit is missing at this offset.
        case digitExpected(at: Int)
    }

    /// Finds the end of the number that starts at an offset.
    @inline(__always)
    static func scan(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Scan {
        var index = start
        if index < end, bytes[index] == UInt8(ascii: "-") { index += 1 }
        guard index < end, isDigit(bytes[index]) else { return .digitExpected(at: index) }
        if bytes[index] == UInt8(ascii: "0") { index += 1 } else { skipDigits(bytes, &index, end) }
        if index < end, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard index < end, isDigit(bytes[index]) else { return .digitExpected(at: index) }
            skipDigits(bytes, &index, end)
        }
        if index < end, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < end, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            guard index < end, isDigit(bytes[index]) else { return .digitExpected(at: index) }
            skipDigits(bytes, &index, end)
        }
        return .number(end: index)
    }

    @inline(__always)
    private static func skipDigits(_ bytes: Span<UInt8>, _ index: inout Int, _ end: Int) {
        while index < end, isDigit(bytes[index]) { index += 1 }
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }
}
