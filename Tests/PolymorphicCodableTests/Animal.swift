import PolymorphicCodable

/// A family of classes with a discriminator of its own name.
class Animal: Decodable {
    var name: String
}

final class Cat: Animal {
    var lives: Int

    private enum CodingKeys: String, CodingKey {
        case lives
    }

    required init(from decoder: any Decoder) throws {
        lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
        try super.init(from: decoder)
    }
}

enum AnimalKind: String, PolymorphicFamily {
    case animal, cat

    typealias Base = Animal

    enum Discriminator: String, CodingKey, CaseIterable {
        case kind
    }

    var type: any Decodable.Type {
        switch self {
        case .animal: Animal.self
        case .cat: Cat.self
        }
    }
}
