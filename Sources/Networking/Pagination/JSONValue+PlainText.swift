internal import JSON

extension JSONValue {
    /// A string, or a number as it was written: what can stand in a URL or tell one item from another.
    var plainText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.literal
        case .null, .bool, .array, .object: nil
        }
    }

    /// The value as a message may show it: what it is, and the beginning of what it says.
    var excerpt: String {
        switch self {
        case .string(let text): "a string, \"\(Self.cut(text))\""
        case .number(let number): "a number, \(Self.cut(number.literal))"
        case .null, .bool, .array, .object: kindName
        }
    }

    private static func cut(_ text: String) -> String {
        text.count > 40 ? "\(text.prefix(39))…" : text
    }
}
