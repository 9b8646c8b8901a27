/// A shape that knows nothing of a discriminator.
struct Square: Shape {
    var side: Double
}
