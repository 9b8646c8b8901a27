package import FoundationEssentials
package import JSON

/// A product that is sent by post.
package struct PhysicalProduct: KnownProduct, Hashable {
    package var details: ProductDetails
    /// The weight in the source's unit.
    package var weight: Decimal? { exactWeight?.value }
    /// The dimensions in the source's unit.
    package var dimensions: Dimensions?
    private let exactWeight: ExactDecimal?

    package init(details: ProductDetails, weight: Decimal? = nil, dimensions: Dimensions? = nil) {
        self.details = details
        exactWeight = weight.map { ExactDecimal($0) }
        self.dimensions = dimensions
    }

    package var typeName: String { ProductKind.physical.rawValue }
    package var variant: ProductVariant { .physical(self) }
    package var contents: ProductContents? { nil }

    package func mapContents(_ change: (any Product) -> any Product) -> PhysicalProduct { self }

    package static let meaning = "something that is sent by post"
    package static let members: [MemberDescription] = [
        .sometimes(ProductMember.weight, .decimal, "its weight, in the source's unit"),
        .sometimes(
            ProductMember.dimensions, .object(Dimensions.memberDescriptions), "its dimensions, in the source's unit"),
    ]
    private static let known = ProductMember.common.union(members.map(\.name))

    package init(from decoder: any Decoder) throws {
        let reader = try MemberReader(decoder)
        details = try ProductDetails(reader, known: Self.known)
        exactWeight = try reader.decimalIfPresent(ProductMember.weight)
        dimensions = try reader.objectIfPresent(ProductMember.dimensions).map(Dimensions.init)
    }

    package func encode(to encoder: any Encoder) throws {
        let path = MemberPath(encoder)
        var members = try details.members(of: typeName, at: path)
        members[ProductMember.weight] = try exactWeight?.json(at: path[ProductMember.weight])
        members[ProductMember.dimensions] =
            try dimensions.map { .object(try $0.members(at: path[ProductMember.dimensions])) }
        details.addAttributes(to: &members, known: Self.known)
        try members.encode(to: encoder)
    }
}

/// Width, height and depth in the source's unit.
package struct Dimensions: Sendable, Hashable {
    /// The other members, such as a unit, in their order, to be written back unchanged.
    package private(set) var attributes = JSONObject()
    private let exactWidth: ExactDecimal
    private let exactHeight: ExactDecimal
    private let exactDepth: ExactDecimal
    private static let known: Set = ["width", "height", "depth"]
    static let memberDescriptions: [MemberDescription] = [
        .always("width", .decimal, "from side to side"),
        .always("height", .decimal, "from bottom to top"),
        .always("depth", .decimal, "from front to back"),
    ]

    package var width: Decimal { exactWidth.value }
    package var height: Decimal { exactHeight.value }
    package var depth: Decimal { exactDepth.value }

    init(_ reader: MemberReader) throws {
        exactWidth = try reader.decimal("width")
        exactHeight = try reader.decimal("height")
        exactDepth = try reader.decimal("depth")
        attributes = reader.others(than: Self.known)
    }

    func members(at path: @autoclosure () -> MemberPath) throws -> JSONObject {
        var members: JSONObject = [
            "width": try exactWidth.json(at: path()["width"]),
            "height": try exactHeight.json(at: path()["height"]),
            "depth": try exactDepth.json(at: path()["depth"]),
        ]
        for attribute in attributes.members { members[attribute.key] = attribute.value }
        return members
    }
}
