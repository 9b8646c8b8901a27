import PolymorphicCodable

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
