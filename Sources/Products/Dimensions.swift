public import FoundationEssentials
public import JSON

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
