/// A value of a polymorphic family, in a form that any decoder can decode and any encoder encode. Every other call is
/// built on it, and it serves where they do not, as `[Polymorphic<ShapeKind>]` at the root of a document.
///
/// It requires a value: an unknown kind is rejected even if the policy is `skip`. ``PolymorphicIfKnown`` allows none.
public struct Polymorphic<Family: PolymorphicFamily> {
    /// The value.
    public let value: Family.Base

    /// A value, to be encoded.
    public init(_ value: Family.Base) {
        self.value = value
    }
}

extension Polymorphic: Decodable {
    /// Reads the discriminator, and then the value as the kind it names.
    /// - Throws: ``PolymorphicDecodingError`` about the discriminator, or what the kind's own decoding throws.
    public init(from decoder: any Decoder) throws {
        let name = try Family.name(in: decoder)
        if let kind = Family(rawValue: name) {
            value = try Family.decode(kind.type, ofKind: name, from: decoder)
        } else {
            switch try Family.decodeUnknown(name, from: decoder) {
            case .kept(let value): self.value = value
            case .refused(let found, _): throw found.refusal
            }
        }
    }
}

extension Polymorphic: Sendable where Family.Base: Sendable {}

extension Polymorphic: Encodable {
    /// Writes the value with its discriminator.
    ///
    /// The discriminator is that of the kind whose type the value has, and stands before the value's own members. What
    /// the value itself writes under that key must be the same, and is not written again. A value whose type is that of
    /// no kind, as a kept one, or of several, must write the discriminator itself.
    /// - Throws: ``PolymorphicEncodingError``, or what the value's own encoding throws.
    public func encode(to encoder: any Encoder) throws {
        let type = type(of: value as Any)
        guard let encodable = value as? any Encodable else {
            throw PolymorphicEncodingError.notEncodable(type: "\(type)", codingPath: encoder.codingPath)
        }
        let kinds = Family.allCases.filter { $0.type == type }.map(\.rawValue)
        let slot = DiscriminatorSlot(Family.discriminator, kinds: kinds, in: encoder)
        try encodable.encode(to: DiscriminatingEncoder(base: encoder, slot: slot))
        try slot.finish(valueOf: type, known: Family.known)
    }
}

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
