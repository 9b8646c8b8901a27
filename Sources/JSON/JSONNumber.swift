/// A JSON number as it was written. No digit is lost by reading and writing one.
public struct JSONNumber: Sendable, Hashable {
    /// The number's text, by the grammar of RFC 8259.
    package let literal: String

    /// The number with this text; nil when that is not a JSON number.
    package init?(literal: String) {
        guard JSONNumberGrammar.matches(literal) else { return nil }
        self.literal = literal
    }

    package init(_ integer: some BinaryInteger) {
        literal = String(integer)
    }

    /// A binary fraction, by the shortest text that reads back as the same; nil when it is infinite or not a number.
    package init?(_ double: Double) {
        guard double.isFinite else { return nil }
        literal = double.description
    }

    /// A text that is known to be a number.
    init(unchecked literal: String) {
        self.literal = literal
    }

    /// The value as an integer, if it is one exactly: `100`, `1e2` and `100.0` are.
    package var integer: Int? {
        exactInteger()
    }

    /// The nearest binary fraction; nil when it is too big for one.
    package var double: Double? {
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

extension JSONNumber {
    /// The decimal parts of a number, to make decimal types without a binary fraction in between.
    package struct DecimalParts: Sendable, Hashable {
        /// Whether the number is negative. Also true for `-0`.
        package let isNegative: Bool
        /// The digits without zeros at either end; empty for zero.
        package let digits: String
        /// The power of ten that the digits, read as an integer, are multiplied by.
        package let exponent: Int
    }

    /// The decimal parts; nil only if the exponent exceeds `Int`.
    package var decimalParts: DecimalParts? {
        var digits: [UInt8] = []
        var fraction = 0
        var power: Substring.UTF8View = ""[...].utf8
        var inFraction = false
        let text = literal[...].utf8
        scan: for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "-"): continue
            case UInt8(ascii: "."): inFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                power = text[text.index(after: index)...]
                break scan
            case let digit:
                digits.append(digit)
                if inFraction { fraction += 1 }
            }
        }
        guard let written = power.isEmpty ? 0 : Int(Substring(power)) else { return nil }
        return Self.normalized(digits, exponent: written, fraction: fraction, isNegative: literal.hasPrefix("-"))
    }

    private static func normalized(
        _ digits: [UInt8], exponent: Int, fraction: Int, isNegative: Bool
    ) -> DecimalParts? {
        let zero = UInt8(ascii: "0")
        let trimmed = digits.drop { $0 == zero }
        guard let last = trimmed.lastIndex(where: { $0 != zero }) else {
            return DecimalParts(isNegative: isNegative, digits: "", exponent: 0)
        }
        let (shifted, overflow) = exponent.subtractingReportingOverflow(fraction - (trimmed.endIndex - 1 - last))
        guard !overflow else { return nil }
        let text = String(decoding: trimmed[...last], as: UTF8.self)
        return DecimalParts(isNegative: isNegative, digits: text, exponent: shifted)
    }
}

extension JSONNumber {
    /// A number in plain notation: without an exponent and without redundant zeros.
    ///
    /// The length of its text grows with the exponent, so the parts must come from a type that limits it.
    package init(plain parts: DecimalParts) {
        let digits = parts.digits
        guard !digits.isEmpty else {
            self.init(unchecked: "0")
            return
        }
        let whole = digits.utf8.count + parts.exponent
        let text =
            if parts.exponent >= 0 {
                digits + String(repeating: "0", count: parts.exponent)
            } else if whole > 0 {
                "\(digits.prefix(whole)).\(digits.dropFirst(whole))"
            } else {
                "0." + String(repeating: "0", count: -whole) + digits
            }
        self.init(unchecked: parts.isNegative ? "-" + text : text)
    }
}
