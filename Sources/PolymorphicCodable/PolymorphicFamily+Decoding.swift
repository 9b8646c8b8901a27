/// Static functions of the family rather than types of their own, and keys of a concrete type rather than of the
/// family's: what is generic only in the family costs no look-up of metadata for every value.
extension PolymorphicFamily {
    /// The text of the discriminator.
    static func name(in decoder: any Decoder) throws -> String {
        let container = try decoder.container(keyedBy: KeptKey.self)
        let key = KeptKey(stringValue: discriminator.stringValue)
        do {
            return try container.decode(String.self, forKey: key)
        } catch let error as DecodingError {
            throw refusal(error, at: key, in: container)
        }
    }

    /// The value as a type that the family names for its kind.
    static func decode(_ type: any Decodable.Type, ofKind kind: String, from decoder: any Decoder) throws -> Base {
        let decoded = try type.init(from: decoder)
        guard let value = decoded as? Base else {
            throw PolymorphicDecodingError.foreignType(
                kind: kind, type: "\(type)", base: "\(Base.self)", codingPath: decoder.codingPath)
        }
        return value
    }

    /// What becomes of a value whose kind is unknown, by the decoder's policy. Some decoders read null as a string;
    /// that is not an unknown kind.
    static func decodeUnknown(_ name: String, from decoder: any Decoder) throws -> UnknownKindReading<Self> {
        let container = try decoder.container(keyedBy: KeptKey.self)
        let key = KeptKey(stringValue: discriminator.stringValue)
        let path = container.codingPath + [key]
        guard try !container.decodeNil(forKey: key) else {
            throw PolymorphicDecodingError.missingDiscriminator(codingPath: path, known: known)
        }
        let unknown = decoder.userInfo[.unknownKinds] as? UnknownKinds ?? UnknownKinds(.reject)
        if unknown.policy == .keep, let family = Self.self as? any KeepingPolymorphicFamily.Type {
            return .kept(try decode(family.keptType, ofKind: name, from: decoder))
        }
        return .refused(SkippedKind(kind: name, codingPath: path, known: known), unknown)
    }

    private static func refusal(
        _ error: DecodingError, at key: KeptKey, in container: KeyedDecodingContainer<KeptKey>
    ) -> any Error {
        let path = container.codingPath + [key]
        guard container.contains(key) else {
            return PolymorphicDecodingError.missingDiscriminator(codingPath: path, known: known)
        }
        switch try? container.decode(KeptValue.self, forKey: key) {
        case .null: return PolymorphicDecodingError.missingDiscriminator(codingPath: path, known: known)
        case .string: return error
        case let found:
            return PolymorphicDecodingError.discriminatorNotText(
                found: found?.summary ?? "another value", codingPath: path, known: known)
        }
    }
}
