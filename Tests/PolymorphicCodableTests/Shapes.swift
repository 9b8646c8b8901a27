import PolymorphicCodable

/// A family of structs behind a protocol, with kinds that write their discriminator and kinds that do not.
protocol Shape: Codable, Hashable {}

enum ShapeKind: String, KeepingPolymorphicFamily {
    case circle, square, point, label, group, newtype, stray

    typealias Base = any Shape

    static var keptType: any Decodable.Type { KeptObject.self }

    var type: any Decodable.Type {
        switch self {
        case .circle: Circle.self
        case .square: Square.self
        case .point: Point.self
        case .label: Label.self
        case .group: Group.self
        case .newtype: Newtype.self
        case .stray: Animal.self
        }
    }

}

extension KeptObject: Shape {}

/// A shape that stores its discriminator, behind its other members.
struct Circle: Shape {
    var radius: Int
    var type = ShapeKind.circle.rawValue

    init(radius: Int) { self.radius = radius }
}

/// A shape that knows nothing of a discriminator.
struct Square: Shape {
    var side: Double
}

/// A shape without members.
struct Point: Shape {}

/// A shape that stores its discriminator as a case of the family.
struct Label: Shape {
    var type: Kind
    var text: String?

    enum Kind: String, Codable {
        case label
        case caption
    }

    init(_ text: String?, type: Kind = .label) {
        self.type = type
        self.text = text
    }
}

/// A shape that writes itself by handing on what it wraps.
struct Newtype: Shape {
    var square: Square

    init(_ square: Square) { self.square = square }

    init(from decoder: any Decoder) throws {
        square = try decoder.singleValueContainer().decode(Square.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(square)
    }
}

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
        owner = try container.decodePolymorphicIfPresent(Animal.self, forKey: .owner)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodePolymorphic(shapes, as: [ShapeKind].self, forKey: .shapes)
        try container.encodePolymorphic(named, as: [String: ShapeKind].self, forKey: .named)
        try container.encodePolymorphicIfPresent(background, as: ShapeKind.self, forKey: .background)
        try container.encodeIfPresent(owner, forKey: .owner)
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

/// A family that is wrong about the type it keeps unknown kinds in.
enum UnkeepableKind: String, KeepingPolymorphicFamily {
    case point

    typealias Base = any Shape

    static var keptType: any Decodable.Type { Animal.self }

    var type: any Decodable.Type { Point.self }
}
