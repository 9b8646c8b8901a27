import PolymorphicCodable

/// The root of a family of classes, whose discriminator has a name of its own.
class Animal: Codable, Hashable {
    var name: String

    init(name: String) { self.name = name }

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
