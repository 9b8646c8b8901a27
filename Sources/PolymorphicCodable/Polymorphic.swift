/// A value of a polymorphic family, in a form that any decoder can decode and any encoder encode: the building block of
/// every other call, and of what they do not cover, as `[Polymorphic<ShapeKind>]` at the root of a document.
///
/// It requires a value: where the policy is `skip`, an unknown kind is rejected here all the same.
/// ``PolymorphicIfKnown`` takes none for an answer.
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
