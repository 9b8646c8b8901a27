/// A shape that stores its discriminator, behind its other members.
struct Circle: Shape {
    var radius: Int
    var type = ShapeKind.circle.rawValue

    init(radius: Int) { self.radius = radius }
}
