public import FoundationEssentials

/// How big a product is, in the source's unit.
public struct Dimensions: Sendable, Hashable, Codable {
    /// From side to side.
    public var width: Decimal
    /// From bottom to top.
    public var height: Decimal
    /// From front to back.
    public var depth: Decimal

    /// Dimensions in the source's unit.
    public init(width: Decimal, height: Decimal, depth: Decimal) {
        self.width = width
        self.height = height
        self.depth = depth
    }

    private enum CodingKeys: String, CodingKey {
        case width, height, depth
    }

    /// Reads the three members.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        width = try container.decodeDecimal(forKey: .width)
        height = try container.decodeDecimal(forKey: .height)
        depth = try container.decodeDecimal(forKey: .depth)
    }

    /// Writes the three members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeDecimal(width, forKey: .width)
        try container.encodeDecimal(height, forKey: .height)
        try container.encodeDecimal(depth, forKey: .depth)
    }
}
