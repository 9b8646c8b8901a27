internal import JSON

/// What is wrong with a value of somebody else's that one of ours was to be made of.
struct ValueProblem: Error {
    /// The index of the element that is meant, where the value is an array.
    var element: Int?
    /// What the value should have been.
    let expected: String
    private let found: JSONValue?

    /// A value that cannot be what it should be.
    init(expected: String, found value: JSONValue?, element: Int? = nil) {
        self.element = element
        self.expected = expected
        found = value
    }

    /// The sentence.
    var problem: String { "expected \(expected), found \(Self.text(found))" }

    private static let limit = 40

    /// The value as messages show it: `string "abc"`, `number 1.5`, `an object`. Long ones are cut, because nobody
    /// wants a description of ten pages in a log.
    private static func text(_ value: JSONValue?) -> String {
        switch value {
        case .string(let string):
            "string \(JSONValue.string(cut(string)))"
        case .number(let number): "number \(cut(number.literal))"
        case .bool(let bool): "boolean \(bool)"
        case .null, .array, .object: value?.kindName ?? "nothing"
        case nil: "nothing"
        }
    }

    private static func cut(_ text: String) -> String {
        let start = text.prefix(limit)
        return start.endIndex == text.endIndex ? text : start + "…"
    }
}
