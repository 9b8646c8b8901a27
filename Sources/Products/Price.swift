public import FoundationEssentials

/// What a product costs: a decimal amount, never a binary fraction, and the currency it is in.
///
/// In JSON the amount is a number, or a string that holds one, and is taken to the digit: one that a `Decimal` cannot
/// hold exactly is an error. It is written as a number, without zeros that mean nothing.
public struct Price: Sendable, Hashable, Codable {
    /// The amount, in the currency's main unit.
    public var amount: Decimal
    /// The ISO 4217 code of the currency; whether it is one is not checked here.
    public var currency: String

    /// A price.
    public init(amount: Decimal, currency: String) {
        self.amount = amount
        self.currency = currency
    }

    private enum CodingKeys: String, CodingKey {
        case amount, currency
    }

    /// Reads the two members.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        amount = try container.decodeDecimal(forKey: .amount)
        currency = try container.decode(String.self, forKey: .currency)
    }

    /// Writes the two members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeDecimal(amount, forKey: .amount)
        try container.encode(currency, forKey: .currency)
    }
}
