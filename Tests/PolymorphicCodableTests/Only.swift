import PolymorphicCodable

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
