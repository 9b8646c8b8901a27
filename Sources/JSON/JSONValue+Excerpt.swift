extension JSONValue {
    /// The value as messages show it, after "found": `string "abc"`, `number 1.5`, `an object`. Long ones are cut.
    public var excerpt: String {
        switch self {
        case .string(let text): "string \(JSONValue.string("\(TextExcerpt(text, limit: 40))"))"
        case .number(let number): "number \(TextExcerpt(number.literal, limit: 40))"
        case .bool(let bool): "boolean \(bool)"
        case .null, .array, .object: kindName
        }
    }
}
