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

/// An array with every way to have shapes as the next element.
struct Row: Decodable {
    /// The types of what was decoded, `nil` for what was missing, null or skipped, and counts of arrays and objects.
    var kinds: String

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var kinds = ["\(type(of: try container.decodePolymorphic(ShapeKind.self)))"]
        kinds.append(Self.kind(of: try container.decodePolymorphicIfPresent(ShapeKind.self)))
        kinds.append(Self.kind(of: try container.decodePolymorphicIfPresent(ShapeKind.self)))
        kinds.append("[\(try container.decodePolymorphic([ShapeKind].self).count)]")
        for _ in 0..<2 {
            let values = try container.decodePolymorphicIfPresent([ShapeKind].self)
            kinds.append(values.map { "[\($0.count)]" } ?? "nil")
        }
        kinds.append("{\(try container.decodePolymorphic([String: ShapeKind].self).count)}")
        for _ in 0..<2 {
            let values = try container.decodePolymorphicIfPresent([String: ShapeKind].self)
            kinds.append(values.map { "{\($0.count)}" } ?? "nil")
        }
        kinds.append(Self.kind(of: try container.decodePolymorphicIfPresent(ShapeKind.self)))
        kinds.append(Self.kind(of: try container.decodePolymorphicIfPresent(ShapeKind.self)))
        kinds.append(try container.decodePolymorphicIfPresent([ShapeKind].self) == nil ? "nil" : "more")
        kinds.append(try container.decodePolymorphicIfPresent([String: ShapeKind].self) == nil ? "nil" : "more")
        self.kinds = kinds.joined(separator: " ")
    }

    private static func kind(of shape: (any Shape)?) -> String {
        shape.map { "\(type(of: $0 as Any))" } ?? "nil"
    }
}

/// Two rows of shapes, one that writes its discriminators itself and one that does not.
struct Rows: Encodable {
    func encode(to encoder: any Encoder) throws {
        let own: [any Shape] = [Circle(radius: 1)]
        let plain: [any Shape] = [Point(), Square(side: 1.5)]
        var container = encoder.unkeyedContainer()
        try container.encodePolymorphic(own)
        try container.encodePolymorphic(plain, as: ShapeKind.self)
    }
}

/// A type that is nothing but a value of the family, an array or a dictionary of them: the encoded form of a ``Whole``.
struct Only: Encodable {
    enum Form: String, CaseIterable {
        case value = "Point"
        case array = "[1]"
        case dictionary = "{1}"
        case ownArray = "[2]"
        case ownDictionary = "{2}"
    }

    var form: Form

    func encode(to encoder: any Encoder) throws {
        let own: [String: any Shape] = ["a": Circle(radius: 1), "b": Circle(radius: 2)]
        var container = encoder.singleValueContainer()
        switch form {
        case .value: try container.encodePolymorphic(Point(), as: ShapeKind.self)
        case .array: try container.encodePolymorphic([Point()], as: ShapeKind.self)
        case .dictionary: try container.encodePolymorphic(["a": Point()], as: ShapeKind.self)
        case .ownArray: try container.encodePolymorphic(Array(own.values))
        case .ownDictionary: try container.encodePolymorphic(own)
        }
    }
}

/// A type that is nothing but a value of the family, an array or a dictionary of them, or null.
struct Whole: Decodable {
    var kinds: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil(), try container.decodePolymorphicIfPresent(ShapeKind.self) == nil {
            kinds = "nil"
        } else if let shapes = try? container.decodePolymorphic([ShapeKind].self) {
            kinds = "[\(shapes.count)]"
        } else if let shapes = try? container.decodePolymorphicIfPresent([String: ShapeKind].self) {
            kinds = "{\(shapes.count)}"
        } else {
            kinds = "\(type(of: try container.decodePolymorphic(ShapeKind.self)))"
        }
    }
}
