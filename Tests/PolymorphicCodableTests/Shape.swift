import PolymorphicCodable

/// A family of structs behind a protocol.
protocol Shape: Codable {}

enum ShapeKind: String, PolymorphicFamily {
    case circle, square, stray

    typealias Base = any Shape

    var type: any Decodable.Type {
        switch self {
        case .circle: Circle.self
        case .square: Square.self
        case .stray: Animal.self
        }
    }
}

struct Circle: Shape, Equatable {
    var type = ShapeKind.circle.rawValue
    var radius: Int

    init(radius: Int) { self.radius = radius }
}

struct Square: Shape, Equatable {
    var type = ShapeKind.square.rawValue
    var side: Int

    init(side: Int) { self.side = side }
}
