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
}
