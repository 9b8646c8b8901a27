import FoundationEssentials
import JSON

extension Decimal {
    /// The number, if a decimal can hold every digit of it.
    init?(exactly number: JSONNumber) {
        guard let parts = number.decimalParts, parts.digits.count <= 38 else { return nil }
        if parts.digits.isEmpty {
            self = 0
            return
        }
        guard (-128...127).contains(parts.exponent) else { return nil }
        guard let significand = Self.significand(parts.digits) else { return nil }
        self.init(sign: parts.isNegative ? .minus : .plus, exponent: parts.exponent, significand: significand)
    }

    private static func significand(_ digits: String) -> Decimal? {
        if let small = UInt64(digits) { return Decimal(small) }
        return Decimal(string: digits)
    }
}
