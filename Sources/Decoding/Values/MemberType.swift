package import JSON
internal import Products

/// The type of one of our members, for converting an upstream's values.
package enum MemberType: Sendable, Hashable {
    /// A non-empty text, from a string or a number.
    case identifier
    /// A text, from a string or a number.
    case text
    /// A whole number.
    case integer
    /// A number, kept to the digit.
    case decimal
    /// An array of such numbers.
    case decimals
    /// The code of a currency, also in lower case, or a sign that only one currency has.
    case currency
    /// A category, or an array of them.
    case categories
    /// Anything else, copied unchanged.
    case other

    /// Whether a scale is applicable. The type of an attribute is known only from the items.
    package var mayBeScaled: Bool {
        switch self {
        case .integer, .decimal, .decimals, .other: true
        case .identifier, .text, .currency, .categories: false
        }
    }

    /// Whether an array is one of its values.
    package var takesLists: Bool {
        switch self {
        case .decimals, .categories, .other: true
        case .identifier, .text, .integer, .decimal, .currency: false
        }
    }

    /// Converts an upstream's value to ours; nil for null, and for an empty string in place of a number.
    /// - Parameter scale: the number of decimal places of a number in minor units, which is whole; nil for any other number.
    package func coerced(_ value: JSONValue, scale: Int? = nil) throws(ValueProblem) -> JSONValue? {
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
        case .currency: return try Self.currency(value)
        case .categories: return try Self.categories(value)
        case .other:
            if scale == nil { return value }
            return value.array == nil
                ? try Self.number(value, scale).map(JSONValue.number) : try Self.numbers(value, scale)
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

    private static func currency(_ value: JSONValue) throws(ValueProblem) -> JSONValue? {
        guard let text = value.string else { throw ValueProblem(expected: "a currency", found: value) }
        if text.isEmpty { return nil }
        guard let code = CurrencyName(text)?.code else {
            throw ValueProblem(expected: "a currency of ISO 4217, like EUR", found: value)
        }
        return .string(code)
    }

    /// An empty array stands for no category, and numbers become texts.
    private static func categories(_ value: JSONValue) throws(ValueProblem) -> JSONValue? {
        var value = value
        if let number = value.number { value = .string(number.literal) }
        if case .array(let elements) = value {
            let filled = elements.filter { !$0.isNull && $0 != .string("") }
            if filled.isEmpty { return nil }
            value = .array(filled.map { $0.number.map { .string($0.literal) } ?? $0 })
        }
        guard ProductCategories(value) != nil else {
            throw ValueProblem(expected: ProductCategories.expected, found: value)
        }
        return value
    }

    private static func number(_ value: JSONValue, _ scale: Int?) throws(ValueProblem) -> JSONNumber? {
        if case .string("") = value { return nil }
        guard let number = value.number ?? value.string.flatMap(JSONNumber.init(literal:)) else {
            throw ValueProblem(expected: "a number", found: value)
        }
        guard let scale else { return number }
        guard let scaled = scale == 0 ? number : number.divided(byTenTo: scale) else {
            throw ValueProblem(expected: "a number of sensible size", found: value)
        }
        guard number.isWhole else { throw ValueProblem(expected: "a whole number of minor units", found: value) }
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

/// The problem of a value that cannot be converted.
package struct ValueProblem: Error {
    /// The index of the bad element if the value is an array.
    var element: Int?
    /// The expected value, in words.
    package let expected: String
    let found: JSONValue?

    /// Another problem, in words, from which this one comes.
    private let cause: String?

    package init(expected: String, found: JSONValue?) {
        (self.expected, self.found, cause) = (expected, found, nil)
    }

    init(_ cause: String) { (expected, found, self.cause) = ("", nil, cause) }

    /// The problem in words.
    var problem: String { cause ?? "expected \(expected), found \(found?.excerpt ?? "nothing")" }
}

extension JSONNumber {
    fileprivate var isWhole: Bool { decimalParts.map { $0.digits.isEmpty || $0.exponent >= 0 } ?? false }

    /// Divides the number by ten to the power of `scale`, exactly and in plain notation; nil if its exponent is out of
    /// range.
    func divided(byTenTo scale: Int) -> JSONNumber? {
        guard let parts = decimalParts else { return nil }
        guard !parts.digits.isEmpty else { return JSONNumber(0) }
        guard (-1000...1000).contains(parts.exponent) else { return nil }
        let sign = parts.isNegative ? "-" : ""
        let shifted = JSONNumber(literal: "\(sign)\(parts.digits)e\(parts.exponent - scale)")
        return shifted?.decimalParts.map(JSONNumber.init(plain:))
    }
}
