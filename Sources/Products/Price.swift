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
