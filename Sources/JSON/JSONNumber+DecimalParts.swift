extension JSONNumber {
    /// A number taken apart in base ten, from which decimal types are made without a binary fraction in between.
    public struct DecimalParts: Sendable, Hashable {
        /// Whether it is below zero, or a zero with a minus sign.
        public let isNegative: Bool
        /// The digits without zeros at either end; empty for zero.
        public let digits: String
        /// The power of ten that the digits, read as an integer, are multiplied by.
        public let exponent: Int
    }

    /// The number in base ten; nil only when its exponent is beyond what an `Int` counts.
    public var decimalParts: DecimalParts? {
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
