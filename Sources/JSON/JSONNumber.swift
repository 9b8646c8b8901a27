/// A JSON number as it was written. No digit is lost by reading and writing one.
public struct JSONNumber: Sendable, Hashable {
    /// The number's text, by the grammar of RFC 8259.
    public let literal: String

    /// The number with this text; nil when that is not a JSON number.
    public init?(literal: String) {
        guard JSONNumberGrammar.matches(literal) else { return nil }
        self.literal = literal
    }

    /// An integer.
    public init(_ integer: some BinaryInteger) {
        literal = String(integer)
    }

    /// A binary fraction, by the shortest text that reads back as the same; nil when it is infinite or not a number.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        literal = double.description
    }

    /// A text that is known to be a number.
    init(unchecked literal: String) {
        self.literal = literal
    }

    /// The value as an integer, if it is one exactly: `100`, `1e2` and `100.0` are.
    public var integer: Int? {
        exactInteger()
    }

    /// The nearest binary fraction; nil when it is too big for one.
    public var double: Double? {
        Double(literal).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The value as an integer of the wanted width, if it is one exactly.
    func exactInteger<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
        if let integer = Integer(literal) { return integer }
        guard let parts = decimalParts else { return nil }
        if parts.digits.isEmpty { return 0 }
        guard parts.exponent >= 0, parts.exponent <= 40 - parts.digits.count else { return nil }
        let digits = parts.digits + String(repeating: "0", count: parts.exponent)
        return Integer((parts.isNegative ? "-" : "") + digits)
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The number's text.
    public var description: String { literal }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
    /// An integer.
    public init(integerLiteral value: Int) {
        self.init(value)
    }
}
