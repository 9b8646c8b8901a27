import PolymorphicCodable

/// What the family of animals keeps a value in whose kind it does not know.
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

    override func encode(to encoder: any Encoder) throws {
        try content.encode(to: encoder)
    }

    override var facts: [AnyHashable] { super.facts + [content] }
}
