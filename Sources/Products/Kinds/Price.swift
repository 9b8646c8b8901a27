public import FoundationEssentials
public import JSON

/// What a product costs: a decimal amount, never a binary fraction, and the currency it is in.
///
/// In JSON the amount is a number, or a string that holds one, and is taken to the digit: one that a `Decimal` cannot
/// hold exactly is an error. It is written as a number, without zeros that mean nothing.
public struct Price: Sendable, Hashable, Codable {
    /// The amount, in the currency's main unit.
    public var amount: Decimal {
        get { exactAmount.value }
        set { exactAmount = ExactDecimal(newValue) }
    }

    /// The ISO 4217 code of the currency; whether it is one is not checked here.
    public var currency: String
    /// The members beside these two, in the order they came in, to be written back unchanged.
    public private(set) var attributes = JSONObject()
    private var exactAmount: ExactDecimal
    private static let known: Set = ["amount", "currency"]
    static let memberDescriptions: [MemberDescription] = [
        .always("amount", .decimal, "in the currency's main unit"),
        .always("currency", .text, "the ISO 4217 code of the currency"),
    ]

    /// A price.
    public init(amount: Decimal, currency: String) {
        exactAmount = ExactDecimal(amount)
        self.currency = currency
    }

    init(_ reader: MemberReader) throws {
        exactAmount = try reader.decimal("amount")
        currency = try reader.string("currency")
        attributes = reader.others(than: Self.known)
    }

    func members(at path: @autoclosure () -> MemberPath) throws -> JSONObject {
        var members: JSONObject = [
            "amount": try exactAmount.json(at: path()["amount"]), "currency": .string(currency),
        ]
        for attribute in attributes.members { members[attribute.key] = attribute.value }
        return members
    }

    /// Reads the members.
    public init(from decoder: any Decoder) throws {
        try self.init(MemberReader(decoder))
    }

    /// Writes the members.
    public func encode(to encoder: any Encoder) throws {
        try members(at: MemberPath(encoder)).encode(to: encoder)
    }
}

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
