import PolymorphicCodable

/// A value with every way to have shapes under a key.
struct Drawing: Decodable {
    var shape: any Shape
    var optional: (any Shape)?
    var shapes: [any Shape]
    var optionals: [any Shape]?
    var named: [String: any Shape]
    var nameds: [String: any Shape]?

    private enum CodingKeys: String, CodingKey {
        case shape, optional, shapes, optionals, named, nameds
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        shape = try container.decodePolymorphic(ShapeKind.self, forKey: .shape)
        optional = try container.decodePolymorphicIfPresent(ShapeKind.self, forKey: .optional)
        shapes = try container.decodePolymorphic([ShapeKind].self, forKey: .shapes)
        optionals = try container.decodePolymorphicIfPresent([ShapeKind].self, forKey: .optionals)
        named = try container.decodePolymorphic([String: ShapeKind].self, forKey: .named)
        nameds = try container.decodePolymorphicIfPresent([String: ShapeKind].self, forKey: .nameds)
    }
}

/// A value whose shapes write their own discriminator, but for those in the dictionary: the encoded form of a ``Drawing``.
struct Page: Encodable {
    var shapes: [any Shape]
    var named: [String: any Shape]

    private enum CodingKeys: String, CodingKey {
        case shape, shapes, named
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if let shape = shapes.first { try container.encode(shape, forKey: .shape) }
        var list = container.nestedUnkeyedContainer(forKey: .shapes)
        for shape in shapes { try list.encode(shape) }
        try container.encodePolymorphic(named, as: [String: ShapeKind].self, forKey: .named)
    }
}

/// A value with every form that wrappers can have, whose coding is synthesised.
struct Sketch: Codable {
    @Polymorphic<ShapeKind> var frame: any Shape
    @Polymorphic<[ShapeKind]> var shapes: [any Shape]
    @Polymorphic<[String: ShapeKind]> var named: [String: any Shape]
    @Polymorphic<ShapeKind?> var background: (any Shape)?
    @Polymorphic<[String: [ShapeKind]]?> var layers: [String: [any Shape]]?
    @Polymorphic<[ShapeKind?]?> var holes: [(any Shape)?]?
    @PolymorphicValue var owner: Animal
    @PolymorphicValue var pet: Animal?
    @PolymorphicValue var herd: [Animal]
    @PolymorphicValue var stalls: [String: Animal]
}
