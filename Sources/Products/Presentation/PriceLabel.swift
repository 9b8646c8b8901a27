import FoundationEssentials
import JSON

/// Prices as people read them: `19.99 EUR`, `1500 JPY`, `0.100 KWD`.
///
/// An amount has at least as many digits after the point as its currency has, or two where the currency is not known.
/// One that came with more keeps them: a rounded price would be one that nobody asks.
enum PriceLabel {
    /// The label of a price.
    static func text(_ price: Price) -> String {
        text(price.amount, in: price.currency)
    }

    /// The label of an amount in the currency with this code.
    static func text(_ amount: Decimal, in currency: String) -> String {
        let digits = digits(of: amount, in: currency)
        return currency.isEmpty ? digits : "\(digits) \(currency)"
    }

    /// The label of all amounts between two; that of the one where they are the same.
    static func range(from least: Decimal, to most: Decimal, in currency: String) -> String {
        guard least != most else { return text(least, in: currency) }
        return "\(digits(of: least, in: currency)) – \(text(most, in: currency))"
    }

    private static func digits(of amount: Decimal, in currency: String) -> String {
        guard let plain = ExactDecimal(amount).digits?.literal else { return amount.description }
        let wanted = Currency(code: currency)?.minorDigits ?? Currency.usualMinorDigits
        let fraction = plain.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).dropFirst().first?.count ?? 0
        guard fraction < wanted else { return plain }
        return plain + (fraction == 0 ? "." : "") + String(repeating: "0", count: wanted - fraction)
    }
}
