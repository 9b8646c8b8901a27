public import FoundationEssentials
public import JSON

/// Something that is sent by post.
public struct PhysicalProduct: Product, Hashable {
    /// What it has in common with products of every kind.
    public var details: ProductDetails
    /// What it weighs, in the source's unit.
    public var weight: Decimal? {
        get { exactWeight?.value }
        set { exactWeight = newValue.map { ExactDecimal($0) } }
    }
    /// How big it is.
    public var dimensions: Dimensions?
    private var exactWeight: ExactDecimal?

    /// A product that is sent by post.
    public init(details: ProductDetails, weight: Decimal? = nil, dimensions: Dimensions? = nil) {
        self.details = details
        exactWeight = weight.map { ExactDecimal($0) }
        self.dimensions = dimensions
    }

    /// `physical`.
    public var typeName: String { ProductKind.physical.rawValue }
    /// The product, as one of all kinds.
    public var variant: ProductVariant { .physical(self) }

    private static let known = ProductMember.common.union([ProductMember.weight, ProductMember.dimensions])

    /// Reads a product; errors name the member that is missing or of a wrong type.
    public init(from decoder: any Decoder) throws {
        let reader = try MemberReader(decoder)
        details = try ProductDetails(reader, known: Self.known)
        exactWeight = try reader.decimalIfPresent(ProductMember.weight)
        dimensions = try reader.objectIfPresent(ProductMember.dimensions).map(Dimensions.init)
    }

    /// Writes the product in its canonical form.
    public func encode(to encoder: any Encoder) throws {
        let path = MemberPath(encoder)
        var members = try details.members(of: typeName, at: path)
        members[ProductMember.weight] = try exactWeight?.json(at: path[ProductMember.weight])
        members[ProductMember.dimensions] =
            try dimensions.map { .object(try $0.members(at: path[ProductMember.dimensions])) }
        details.addAttributes(to: &members, known: Self.known)
        try members.encode(to: encoder)
    }
}

/// How big a product is, in the source's unit.
public struct Dimensions: Sendable, Hashable, Codable {
    /// The members beside the three, such as a unit, in the order they came in, to be written back unchanged.
    public private(set) var attributes = JSONObject()
    private var exactWidth: ExactDecimal
    private var exactHeight: ExactDecimal
    private var exactDepth: ExactDecimal
    private static let known: Set = ["width", "height", "depth"]
    static let memberDescriptions: [MemberDescription] = [
        .always("width", .decimal, "from side to side"),
        .always("height", .decimal, "from bottom to top"),
        .always("depth", .decimal, "from front to back"),
    ]

    /// Dimensions in the source's unit.
    public init(width: Decimal, height: Decimal, depth: Decimal) {
        exactWidth = ExactDecimal(width)
        exactHeight = ExactDecimal(height)
        exactDepth = ExactDecimal(depth)
    }

    /// From side to side.
    public var width: Decimal { exactWidth.value }
    /// From bottom to top.
    public var height: Decimal { exactHeight.value }
    /// From front to back.
    public var depth: Decimal { exactDepth.value }

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

    /// Reads the members.
    public init(from decoder: any Decoder) throws {
        try self.init(MemberReader(decoder))
    }

    /// Writes the members.
    public func encode(to encoder: any Encoder) throws {
        try members(at: MemberPath(encoder)).encode(to: encoder)
    }
}
