/// Writes values as JSON without white space, in UTF-8, escaping only what must be escaped.
///
/// An instance gathers bytes of its own; the static functions append to somebody else's.
public struct JSONWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []

    /// A writer that has written nothing.
    public init() {}

    /// Writes a value after what has been written.
    public mutating func write(_ value: JSONValue) {
        Self.append(value, to: &bytes)
    }

    /// Appends a value.
    public static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let number): bytes.append(contentsOf: number.literal.utf8)
        case .string(let string): append(string, to: &bytes)
        case .array(let elements): append(elements, to: &bytes)
        case .object(let object): append(object, to: &bytes)
        }
    }

    /// Appends an object.
    public static func append(_ object: JSONObject, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in object.members {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(member.value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends a string, in quotes.
    public static func append(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if needsEscapes(string) {
            for byte in string.utf8 { appendEscaped(byte, to: &bytes) }
        } else {
            bytes.append(contentsOf: string.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func append(_ elements: [JSONValue], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(element, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func needsEscapes(_ string: String) -> Bool {
        let span = string.utf8Span.span
        for index in span.indices where mustEscape(span[index]) { return true }
        return false
    }

    @inline(__always)
    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        guard mustEscape(byte) else {
            bytes.append(byte)
            return
        }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0..<0x20:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            bytes.append(contentsOf: String(byte & 15, radix: 16).utf8)
        default: bytes.append(byte)
        }
    }
}
