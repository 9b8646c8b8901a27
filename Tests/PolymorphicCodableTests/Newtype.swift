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
