internal import JSON

extension MemberType {
    /// Whether a scale makes sense; what an attribute is, only the items can tell.
    var mayBeScaled: Bool {
        switch self {
        case .integer, .decimal, .decimals, .other: true
        case .identifier, .text: false
        }
    }

    /// Somebody else's value as ours is written; nil when it says nothing, as null does, or an empty string where a
    /// number is wanted.
    /// - Parameter scale: how many of a number's digits stand behind the point.
    func coerced(_ value: JSONValue, scale: Int? = nil) throws(ValueProblem) -> JSONValue? {
        if value.isNull { return nil }
        switch self {
        case .identifier: return try Self.identifier(value)
        case .text: return try Self.text(value)
        case .integer:
            return try Self.number(value, scale).map { number throws(ValueProblem) in
                guard let integer = number.integer else { throw ValueProblem(expected: "a whole number", found: value) }
                return .number(JSONNumber(integer))
            }
        case .decimal: return try Self.number(value, scale).map(JSONValue.number)
        case .decimals: return try Self.numbers(value, scale)
        case .other: return scale == nil ? value : try Self.number(value, scale).map(JSONValue.number)
        }
    }

    private static func identifier(_ value: JSONValue) throws(ValueProblem) -> JSONValue {
        switch value {
        case .string(let text) where !text.isEmpty: return value
        case .number(let number): return .string(number.literal)
        default: throw ValueProblem(expected: "a non-empty string or a number", found: value)
        }
    }

    private static func text(_ value: JSONValue) throws(ValueProblem) -> JSONValue {
        switch value {
        case .string: return value
        case .number(let number): return .string(number.literal)
        default: throw ValueProblem(expected: "a string", found: value)
        }
    }

    private static func number(_ value: JSONValue, _ scale: Int?) throws(ValueProblem) -> JSONNumber? {
        if case .string("") = value { return nil }
        guard let number = value.number ?? value.string.flatMap(JSONNumber.init(literal:)) else {
            throw ValueProblem(expected: "a number", found: value)
        }
        guard let scale, scale > 0 else { return number }
        guard let scaled = number.divided(byTenTo: scale) else {
            throw ValueProblem(expected: "a number of sensible size", found: value)
        }
        return scaled
    }

    private static func numbers(_ value: JSONValue, _ scale: Int?) throws(ValueProblem) -> JSONValue {
        guard case .array(let elements) = value else {
            throw ValueProblem(expected: "an array of numbers", found: value)
        }
        var numbers: [JSONValue] = []
        for (index, element) in elements.enumerated() {
            do throws(ValueProblem) {
                guard let number = try number(element, scale) else {
                    throw ValueProblem(expected: "a number", found: element)
                }
                numbers.append(.number(number))
            } catch {
                var problem = error
                problem.element = index
                throw problem
            }
        }
        return .array(numbers)
    }
}
