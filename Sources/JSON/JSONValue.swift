internal import Text

/// Any JSON value, kept without loss: numbers as they were written, object members in their order.
///
/// Two values are equal when they have the same members in the same order and the same number literals, so `1.0` is not
/// equal to `1`.
public enum JSONValue: Sendable, Hashable {
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as it was written.
    case number(JSONNumber)
    /// A string, without quotes and escapes.
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The kind of the value for messages: `a string`, `an object`, `null`.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    /// A string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// An integer.
    public init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSONValue {
    /// The value as JSON, without white space.
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(self, to: &bytes)
        return bytes
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON.
    public var description: String { String(decoding: encoded(), as: UTF8.self) }
}

extension JSONValue {
    /// The value as messages show it, after "found": `string "abc"`, `number 1.5`, `an object`. Long ones are cut.
    package var excerpt: String {
        switch self {
        case .string(let text): "string \(JSONValue.string("\(TextExcerpt(text, limit: 40))"))"
        case .number(let number): "number \(TextExcerpt(number.literal, limit: 40))"
        case .bool(let bool): "boolean \(bool)"
        case .null, .array, .object: kindName
        }
    }
}

extension JSONValue {
    /// A number with so many digits after the point; null where it is none.
    package static func measure(_ number: Double, digits: Int) -> JSONValue {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        return JSONNumber((number * scale).rounded() / scale).map { .number($0) } ?? .null
    }

    /// A duration in seconds, to the millisecond.
    package static func seconds(_ duration: Duration) -> JSONValue { measure(duration / .seconds(1), digits: 3) }

    /// A duration in milliseconds, to the microsecond.
    package static func milliseconds(_ duration: Duration) -> JSONValue {
        measure(duration / .milliseconds(1), digits: 3)
    }

    /// A whole number.
    package static func count(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
}
