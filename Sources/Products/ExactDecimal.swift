import FoundationEssentials
import JSON

/// A decimal beside its digits, because taking a `Decimal` apart to write it costs more than all else about a product.
struct ExactDecimal: Sendable, Hashable {
    /// How many digits a decimal can hold, whatever they are.
    static let mostDigits = 38

    /// The decimal.
    let value: Decimal
    /// Its digits in plain notation, the same for equal decimals; nil when the decimal is not a number.
    let digits: JSONNumber?

    /// A decimal that did not come from JSON.
    init(_ value: Decimal) {
        self.value = value
        digits = JSONNumber(literal: value.description)?.decimalParts.map(JSONNumber.init(plain:))
    }

    /// The number, if a decimal can hold every digit of it.
    init?(_ number: JSONNumber) {
        if let plain = Self(plain: number) {
            self = plain
            return
        }
        guard let parts = number.decimalParts, let value = Self.value(parts) else { return nil }
        self.value = value
        digits = JSONNumber(plain: parts)
    }

    /// The number, if it is short and already in the notation it will be written in, as most are.
    private init?(plain number: JSONNumber) {
        let text = number.literal.utf8
        guard text.count < 19 else { return nil }
        var (significand, fraction, inFraction, last) = (UInt64(0), 0, false, UInt8(0))
        for byte in text {
            last = byte
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                significand = significand * 10 + UInt64(byte - UInt8(ascii: "0"))
                if inFraction { fraction += 1 }
            case UInt8(ascii: "."): inFraction = true
            case UInt8(ascii: "-"): continue
            default: return nil
            }
        }
        guard significand != 0, !inFraction || last != UInt8(ascii: "0") else { return nil }
        let sign: FloatingPointSign = text.first == UInt8(ascii: "-") ? .minus : .plus
        value = Decimal(sign: sign, exponent: -fraction, significand: Decimal(significand))
        digits = number
    }

    private static func value(_ parts: JSONNumber.DecimalParts) -> Decimal? {
        if parts.digits.isEmpty { return 0 }
        guard parts.digits.utf8.count <= mostDigits, (-128...127).contains(parts.exponent),
            let significand = Decimal(string: parts.digits)
        else { return nil }
        return Decimal(sign: parts.isNegative ? .minus : .plus, exponent: parts.exponent, significand: significand)
    }

    /// The digits as JSON.
    /// - Throws: `EncodingError` with the path, when the decimal is not a number.
    func json(at path: @autoclosure () -> MemberPath) throws -> JSONValue {
        guard let digits else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: path().codingPath, debugDescription: "\(value) is not a number"))
        }
        return .number(digits)
    }
}
