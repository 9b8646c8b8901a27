import PolymorphicCodable

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
