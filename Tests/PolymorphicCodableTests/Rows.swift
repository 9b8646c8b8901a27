import PolymorphicCodable

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
