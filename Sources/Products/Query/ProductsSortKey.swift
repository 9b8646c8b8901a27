public import JSON

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

/// The members that are wanted of products.
///
/// `type` and `id` always are, because without them a product can be neither decoded nor told from others. A name that
/// no product has is no mistake: kinds differ in their members, and attributes have any name. Members keep their order,
/// and those of a product within a bundle are not chosen from.
public struct ProductFields: Sendable, Hashable {
    /// The names, `type` and `id` among them.
    public let names: Set<String>

    /// Members with these names.
    public init(_ names: some Sequence<String>) {
        self.names = Set(names).union([ProductMember.type, ProductMember.id])
    }

    /// A product with no other members than these.
    /// - Parameter product: the JSON object of the product.
    /// - Throws: `JSONSyntaxError` when it is no object.
    public func projection(of product: ArraySlice<UInt8>) throws(JSONSyntaxError) -> [UInt8] {
        var projection: [UInt8] = []
        try append(product, to: &projection)
        return projection
    }

    func append(_ product: ArraySlice<UInt8>, to bytes: inout [UInt8]) throws(JSONSyntaxError) {
        let whole = Array(product)
        var separator = UInt8(ascii: "{")
        for member in try JSONParser().parseMemberRanges(whole) where names.contains(member.key) {
            bytes.append(separator)
            separator = UInt8(ascii: ",")
            JSONWriter.append(.string(member.key), to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(contentsOf: whole[member.range])
        }
        if separator == UInt8(ascii: "{") { bytes.append(separator) }
        bytes.append(UInt8(ascii: "}"))
    }
}
