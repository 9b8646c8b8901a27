/// One of the members by which products can be sorted, and the direction.
public struct ProductsSortKey: Sendable, Hashable, CustomStringConvertible {
    /// What can be sorted by.
    public enum Member: String, Sendable, Hashable, CaseIterable {
        /// The id, as text: `10` stands before `9`.
        case id
        /// The name, whatever its case and accents.
        case name
        /// The amount of the price, whatever its currency.
        case price
        /// How many have been sold.
        case sales
        /// The kind, as text.
        case type
        /// The category, whatever its case and accents.
        case category
    }

    /// What is sorted by.
    public let member: Member
    /// Whether the greatest comes first. Products without the member come last either way.
    public let isDescending: Bool

    /// A key.
    public init(_ member: Member, isDescending: Bool = false) {
        self.member = member
        self.isDescending = isDescending
    }

    /// The key of a text: the member's name, with `-` before it for the greatest first; nil when it is no such text.
    public init?(_ text: String) {
        let isDescending = text.unicodeScalars.first == "-"
        guard let member = Member(rawValue: String(text.unicodeScalars.dropFirst(isDescending ? 1 : 0))) else {
            return nil
        }
        self.init(member, isDescending: isDescending)
    }

    /// Every key as a query has it, those for the greatest first at the end.
    public static let texts = [false, true].flatMap { isDescending in
        Member.allCases.map { ProductsSortKey($0, isDescending: isDescending).description }
    }

    /// The key as a query has it.
    public var description: String { (isDescending ? "-" : "") + member.rawValue }
}
