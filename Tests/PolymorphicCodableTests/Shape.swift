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
