/// A value of a polymorphic family, or none where the decoder's policy is to skip unknown kinds and this is one.
///
/// Decoding it succeeds either way, so that an array's other elements, and a dictionary's other values, can be read by
/// any decoder.
public struct PolymorphicIfKnown<Family: PolymorphicFamily>: Decodable {
    /// The decoded value; nil when it was skipped.
    public let value: Family.Base?

    /// Reads the discriminator, and then the value as the kind it names; reports the value when it is skipped.
    /// - Throws: ``PolymorphicDecodingError`` about the discriminator, or what the kind's own decoding throws.
    public init(from decoder: any Decoder) throws {
        let name = try Family.name(in: decoder)
        if let kind = Family(rawValue: name) {
            value = try Family.decode(kind.type, ofKind: name, from: decoder)
        } else {
            value = try Self.unknown(name, in: decoder)
        }
    }

    private static func unknown(_ name: String, in decoder: any Decoder) throws -> Family.Base? {
        switch try Family.decodeUnknown(name, from: decoder) {
        case .kept(let value): return value
        case .refused(let found, let unknown):
            guard unknown.policy == .skip else { throw found.refusal }
            unknown.skipped?.append(found)
            return nil
        }
    }
}

extension PolymorphicIfKnown: Sendable where Family.Base: Sendable {}
