import PolymorphicCodable

/// A base class that is a kind itself, and whose discriminator has a name of its own.
class Animal: PolymorphicBaseClass, Decodable, Hashable {
    typealias Kinds = AnimalKind

    var name: String

    private enum CodingKeys: String, CodingKey {
        case name
    }

    init(name: String) { self.name = name }

    final func encode(to encoder: any Encoder) throws { try encodeAsKind(to: encoder) }

    func encodeMembers(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
    }

    var facts: [AnyHashable] { [name] }

    static func == (left: Animal, right: Animal) -> Bool {
        type(of: left) == type(of: right) && left.facts == right.facts
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(facts)
    }
}

enum AnimalKind: String, KeepingPolymorphicFamily {
    case animal, pet, cat, dog

    typealias Base = Animal

    enum Discriminator: String, CodingKey, CaseIterable {
        case kind
    }

    static var keptType: any Decodable.Type { UnknownAnimal.self }

    var type: any Decodable.Type {
        switch self {
        case .animal: Animal.self
        case .pet: Pet.self
        case .cat: Cat.self
        case .dog: Dog.self
        }
    }
}

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

    override func encodeMembers(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(owner, forKey: .owner)
        try super.encodeMembers(to: encoder)
    }

    override var facts: [AnyHashable] { super.facts + [owner] }
}

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

    override func encodeMembers(to encoder: any Encoder) throws {
        try super.encodeMembers(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("cat", forKey: .kind)
        try container.encode(lives, forKey: .lives)
    }

    override var facts: [AnyHashable] { super.facts + [lives] }
}

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
        friends = try container.decodePolymorphic([Animal].self, forKey: .friends)
        try super.init(from: container.superDecoder())
    }

    override func encodeMembers(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(friends, forKey: .friends)
        try super.encodeMembers(to: container.superEncoder())
    }

    override var facts: [AnyHashable] { super.facts + [friends] }
}

/// An animal of unknown kind, as its family keeps it.
final class UnknownAnimal: Animal {
    var content: KeptObject

    init(name: String, content: KeptObject) {
        self.content = content
        super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
        content = try KeptObject(from: decoder)
        try super.init(from: decoder)
    }

    override func encodeMembers(to encoder: any Encoder) throws {
        try content.encode(to: encoder)
    }

    override var facts: [AnyHashable] { super.facts + [content] }
}
