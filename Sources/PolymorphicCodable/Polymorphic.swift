/// A value of a polymorphic family, in a form that any decoder can decode: the building block of every other call, and
/// of what they do not cover, as `[Polymorphic<ShapeKind>]` at the root of a document.
public struct Polymorphic<Family: PolymorphicFamily>: Decodable {
    /// The decoded value.
    public let value: Family.Base

    /// Reads the discriminator, and then the value as the kind it names.
    /// - Throws: ``PolymorphicDecodingError`` about the discriminator, or what the kind's own decoding throws.
    public init(from decoder: any Decoder) throws {
        let kind = try Self.kind(in: decoder)
        let decoded = try kind.type.init(from: decoder)
        guard let value = decoded as? Family.Base else {
            throw PolymorphicDecodingError.foreignType(
                kind: kind.rawValue, type: "\(kind.type)", base: "\(Family.Base.self)", codingPath: decoder.codingPath)
        }
        self.value = value
    }

    private static func kind(in decoder: any Decoder) throws -> Family {
        let container = try decoder.container(keyedBy: Family.Discriminator.self)
        guard let key = Family.Discriminator.allCases.first else {
            preconditionFailure("\(Family.Discriminator.self) has no case to name the discriminator")
        }
        guard let name = try discriminator(key, in: container) else {
            throw PolymorphicDecodingError.missingDiscriminator(codingPath: container.codingPath + [key], known: known)
        }
        guard let kind = Family(rawValue: name) else {
            throw PolymorphicDecodingError.unknownDiscriminator(
                name, codingPath: container.codingPath + [key], known: known)
        }
        return kind
    }

    private static func discriminator<Key>(_ key: Key, in container: KeyedDecodingContainer<Key>) throws -> String? {
        do {
            return try container.decodeIfPresent(String.self, forKey: key)
        } catch DecodingError.typeMismatch {
            throw PolymorphicDecodingError.discriminatorNotText(codingPath: container.codingPath + [key], known: known)
        }
    }

    private static var known: [String] { Family.allCases.map(\.rawValue) }
}

extension Polymorphic: Sendable where Family.Base: Sendable {}
