/// A subclass whose members stand beside the inherited ones.
class Pet: Animal {
    var owner: String

    private enum CodingKeys: String, CodingKey {
        case owner
    }

    init(name: String, owner: String) {
        self.owner = owner
        super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
        owner = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .owner)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(owner, forKey: .owner)
        try super.encode(to: encoder)
    }

    override var facts: [AnyHashable] { super.facts + [owner] }
}
