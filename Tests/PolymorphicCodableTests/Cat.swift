/// A subclass of a subclass, which writes its discriminator itself, after the inherited members.
class Cat: Pet {
    var lives: Int

    private enum CodingKeys: String, CodingKey {
        case kind, lives
    }

    init(name: String, owner: String, lives: Int) {
        self.lives = lives
        super.init(name: name, owner: owner)
    }

    required init(from decoder: any Decoder) throws {
        lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("cat", forKey: .kind)
        try container.encode(lives, forKey: .lives)
    }

    override var facts: [AnyHashable] { super.facts + [lives] }
}
