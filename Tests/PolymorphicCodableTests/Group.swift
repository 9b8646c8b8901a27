import PolymorphicCodable

/// A shape of shapes, and of a value of another family.
struct Group: Shape {
    var shapes: [any Shape]
    var named: [String: any Shape]
    var background: (any Shape)?
    var owner: Animal?

    private enum CodingKeys: String, CodingKey {
        case shapes, named, background, owner
    }

    init(
        _ shapes: [any Shape] = [], named: [String: any Shape] = [:], background: (any Shape)? = nil,
        owner: Animal? = nil
    ) {
        self.shapes = shapes
        self.named = named
        self.background = background
        self.owner = owner
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        shapes = try container.decodePolymorphic([ShapeKind].self, forKey: .shapes)
        named = try container.decodePolymorphicIfPresent([String: ShapeKind].self, forKey: .named) ?? [:]
        background = try container.decodePolymorphicIfPresent(ShapeKind.self, forKey: .background)
        owner = try container.decodePolymorphicIfPresent(AnimalKind.self, forKey: .owner)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodePolymorphic(shapes, as: ShapeKind.self, forKey: .shapes)
        try container.encodePolymorphic(named, as: ShapeKind.self, forKey: .named)
        try container.encodePolymorphicIfPresent(background, as: ShapeKind.self, forKey: .background)
        try container.encodePolymorphicIfPresent(owner, as: AnimalKind.self, forKey: .owner)
    }

    static func == (left: Group, right: Group) -> Bool {
        left.members == right.members
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(members)
    }

    private var members: [AnyHashable] {
        [
            shapes.map { AnyHashable($0) }, named.mapValues { AnyHashable($0) }, background.map { AnyHashable($0) },
            owner,
        ]
    }
}
