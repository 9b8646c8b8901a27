package import JSON

/// A member to sort products by, and the direction.
package struct ProductsSortKey: Sendable, Hashable, CustomStringConvertible {
    package enum Member: String, Sendable, Hashable, CaseIterable {
        /// Compared as text: `10` stands before `9`.
        case id
        /// Without case and accents.
        case name
        /// The amount, without its currency.
        case price
        case sales
        case type
        /// Without case and accents.
        case category
    }

    package let member: Member
    /// Whether the greatest comes first. Products without the member come last either way.
    package let isDescending: Bool

    package init(_ member: Member, isDescending: Bool = false) {
        self.member = member
        self.isDescending = isDescending
    }

    /// Parses the member's name, with `-` before it for the greatest first; nil for any other text.
    package init?(_ text: String) {
        let isDescending = text.unicodeScalars.first == "-"
        guard let member = Member(rawValue: String(text.unicodeScalars.dropFirst(isDescending ? 1 : 0))) else {
            return nil
        }
        self.init(member, isDescending: isDescending)
    }

    /// The texts of all keys, the descending ones last.
    package static let texts = [false, true].flatMap { isDescending in
        Member.allCases.map { ProductsSortKey($0, isDescending: isDescending).description }
    }

    package var description: String { (isDescending ? "-" : "") + member.rawValue }
}

/// The members wanted of products.
///
/// `type` and `id` are always included, because products cannot be decoded or identified without them. Unknown names are
/// no error: kinds differ in their members, and attributes have any name. Members keep their order, and products within
/// a bundle stay whole.
package struct ProductFields: Sendable, Hashable {
    /// The names, `type` and `id` included.
    package let names: Set<String>

    /// Chooses members; adds `type` and `id`.
    package init(_ names: some Sequence<String>) {
        self.names = Set(names).union([ProductMember.type, ProductMember.id])
    }

    /// Reduces the JSON object of a product to these members.
    /// - Throws: `JSONSyntaxError` when it is no object.
    package func projection(of product: ArraySlice<UInt8>) throws(JSONSyntaxError) -> [UInt8] {
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
