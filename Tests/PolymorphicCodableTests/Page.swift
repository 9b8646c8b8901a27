import PolymorphicCodable

/// A value whose shapes all write their own discriminator: the encoded form of a ``Drawing``.
struct Page: Encodable {
    var shapes: [any Shape]
    var named: [String: any Shape]

    private enum CodingKeys: String, CodingKey {
        case shape, optional, shapes, optionals, named, nameds
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if let shape = shapes.first { try container.encode(shape, forKey: .shape) }
        try container.encodePolymorphicIfPresent(shapes.first, forKey: .optional)
        try container.encodePolymorphic(shapes, forKey: .shapes)
        try container.encodePolymorphicIfPresent(shapes as [any Shape]?, forKey: .optionals)
        try container.encodePolymorphic(named, forKey: .named)
        try container.encodePolymorphicIfPresent(nil as [String: any Shape]?, forKey: .nameds)
    }
}
