import PolymorphicCodable

/// A family that is wrong about the type it keeps unknown kinds in.
enum UnkeepableKind: String, KeepingPolymorphicFamily {
    case point

    typealias Base = any Shape

    static var keptType: any Decodable.Type { Animal.self }

    var type: any Decodable.Type { Point.self }
}
