/// A shape that stores its discriminator as a case of the family.
struct Label: Shape {
    var type: Kind
    var text: String?

    enum Kind: String, Codable {
        case label
        case caption
    }

    init(_ text: String?, type: Kind = .label) {
        self.type = type
        self.text = text
    }
}
