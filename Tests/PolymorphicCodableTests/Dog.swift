import PolymorphicCodable

/// A subclass of a subclass, which keeps the inherited members in an object of their own, and has animals in it.
final class Dog: Pet {
    var friends: [Animal]

    private enum CodingKeys: String, CodingKey {
        case friends
    }

    init(name: String, owner: String, friends: [Animal]) {
        self.friends = friends
        super.init(name: name, owner: owner)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        friends = try container.decodePolymorphic([AnimalKind].self, forKey: .friends)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodePolymorphic(friends, as: AnimalKind.self, forKey: .friends)
        try super.encode(to: container.superEncoder())
    }

    override var facts: [AnyHashable] { super.facts + [friends] }
}
