import FoundationEssentials
import JSON

extension KeyedDecodingContainer {
    /// A decimal from a number or from a string that holds one, to the digit.
    func decodeDecimal(forKey key: Key) throws -> Decimal {
        let value = try decode(JSONValue.self, forKey: key)
        guard let number = value.number ?? value.string.flatMap(JSONNumber.init(literal:)) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "expected a number, found \(value.kindName)")
        }
        guard let decimal = Decimal(exactly: number) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "\(number.literal) cannot be kept to the digit")
        }
        return decimal
    }

    /// A decimal where the member is there and not null.
    func decodeDecimalIfPresent(forKey key: Key) throws -> Decimal? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decodeDecimal(forKey: key)
    }
}
