import FoundationEssentials
import JSON

extension KeyedEncodingContainer {
    /// Writes a decimal as a number with just its digits.
    mutating func encodeDecimal(_ decimal: Decimal, forKey key: Key) throws {
        guard let number = JSONNumber(literal: decimal.description) else {
            let context = EncodingError.Context(
                codingPath: codingPath + [key], debugDescription: "\(decimal) is not a number")
            throw EncodingError.invalidValue(decimal, context)
        }
        try encode(number, forKey: key)
    }

    /// Writes a decimal where there is one.
    mutating func encodeDecimalIfPresent(_ decimal: Decimal?, forKey key: Key) throws {
        guard let decimal else { return }
        try encodeDecimal(decimal, forKey: key)
    }
}
