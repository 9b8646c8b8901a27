/// The kinds of one polymorphic type: an enum whose cases are the values of the discriminator.
///
/// One enum with one property is all that a family needs:
/// ```swift
/// enum ShapeKind: String, PolymorphicFamily {
///     case circle, square
///     typealias Base = any Shape
///     var type: any Decodable.Type {
///         switch self {
///         case .circle: Circle.self
///         case .square: Square.self
///         }
///     }
/// }
/// ```
/// The discriminator is the member `type`. For another, nest an enum of one case:
/// `enum Discriminator: String, CodingKey, CaseIterable { case kind }`.
///
/// A value may write its own discriminator; otherwise it is written for the value. The decoder's ``UnknownKindPolicy``
/// decides about kinds that are not among the cases.
public protocol PolymorphicFamily: PolymorphicForm, RawRepresentable, CaseIterable, Sendable
where RawValue == String, Decoded == Base {
    /// The common type of all kinds: a protocol's existential, as `any Shape`, or a base class.
    associatedtype Base
    /// The name of the member that tells the kind; the first case counts.
    associatedtype Discriminator: CodingKey & CaseIterable = TypeDiscriminator
    /// The type of this kind. It must be a ``Base``.
    var type: any Decodable.Type { get }
    /// Whether every kind writes its discriminator itself. If so, the library writes none, and a value without one is not
    /// encoded.
    ///
    /// It is false without being said, unless the base is a class or a struct that is `Encodable` by itself: a plain
    /// `encode` of that would lose the discriminator, and the family does not compile until it says which it is.
    static var kindsWriteDiscriminator: Bool { get }
}

extension PolymorphicFamily {
    /// The library writes the discriminator.
    public static var kindsWriteDiscriminator: Bool { false }
}

extension PolymorphicFamily where Base: Encodable {
    /// The family has to decide.
    @available(
        *, unavailable,
        message: "a plain encode would lose the discriminator; make the base a PolymorphicBaseClass, or say which it is"
    )
    public static var kindsWriteDiscriminator: Bool { false }
}

extension PolymorphicFamily {
    /// Reads the discriminator, and then the value as the kind it names. A kind that the policy would skip is rejected.
    /// - Throws: ``PolymorphicDecodingError`` about the discriminator, or what the kind's own decoding throws.
    public static func decodePolymorphic(from decoder: any Decoder) throws -> Base {
        let name = try Self.name(in: decoder)
        if let kind = Self(rawValue: name) { return try decode(kind.type, ofKind: name, from: decoder) }
        switch try decodeUnknown(name, from: decoder) {
        case .kept(let value): return value
        case .refused(let found, _): throw found.refusal
        }
    }

    /// Reads the discriminator, and then the value as the kind it names; nil, and reported, where the policy skips it.
    /// - Throws: ``PolymorphicDecodingError`` about the discriminator, or what the kind's own decoding throws.
    public static func decodePolymorphicIfKnown(from decoder: any Decoder) throws -> Base? {
        let name = try Self.name(in: decoder)
        if let kind = Self(rawValue: name) { return try decode(kind.type, ofKind: name, from: decoder) }
        switch try decodeUnknown(name, from: decoder) {
        case .kept(let value): return value
        case .refused(let found, let unknown):
            guard unknown.policy == .skip else { throw found.refusal }
            unknown.report?(found)
            return nil
        }
    }

    /// Writes the value with its discriminator.
    ///
    /// The discriminator is that of the kind whose type the value has, and stands before the value's own members. The
    /// value itself may write the same under that key, which is not written again. A value whose type is that of no
    /// kind, as a kept one, or of several, must write the discriminator itself.
    /// - Throws: ``PolymorphicEncodingError``, or what the value's own encoding throws.
    public static func encodePolymorphic(_ value: Base, to encoder: any Encoder) throws {
        let type = Swift.type(of: value as Any)
        guard let encodable = value as? any Encodable else {
            throw PolymorphicEncodingError.notEncodable(type: "\(type)", codingPath: encoder.codingPath)
        }
        try discriminate(type, in: encoder, writing: encodable.encode)
    }

    /// The kind whose type a value has; nil for one of no kind, as a kept one, or of several.
    public static func kind(of value: Base) -> Self? {
        let kinds = allCases.filter { $0.type == Swift.type(of: value as Any) }
        return kinds.count == 1 ? kinds.first : nil
    }

    /// Writes the members of a value of some type, and its discriminator before them.
    static func discriminate(
        _ type: Any.Type, in encoder: any Encoder, writing write: (any Encoder) throws -> Void
    ) throws {
        let kinds = allCases.filter { $0.type == type }.map(\.rawValue)
        let slot = DiscriminatorSlot(
            discriminator, kinds: kinds, isLeftToValue: kindsWriteDiscriminator || kinds.count > 1, in: encoder)
        try write(DiscriminatingEncoder(base: encoder, slot: slot))
        try slot.finish(valueOf: type, known: known)
    }
}

extension PolymorphicFamily {
    /// The kinds as a document names them.
    static var known: [String] { allCases.map(\.rawValue) }

    /// The key of the member that tells the kind.
    static var discriminator: Discriminator {
        guard let key = Discriminator.allCases.first else {
            preconditionFailure("\(Discriminator.self) has no case to name the discriminator")
        }
        return key
    }
}

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

    /// Reads a value of unknown kind by the decoder's policy. Some decoders read null as a string; that is not an
    /// unknown kind.
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

/// The discriminator of families that name no other: `type`.
public enum TypeDiscriminator: String, CodingKey, CaseIterable {
    /// The member `type`.
    case type

    /// The one case, without an array around it: it is asked for with every value that is decoded.
    public static var allCases: CollectionOfOne<TypeDiscriminator> { CollectionOfOne(.type) }
}

/// A family that has a type for values of kinds it does not know, for the policy `keep`.
///
/// The type keeps whatever the value consists of and writes it back; ``KeptObject`` does so with any decoder, and is a
/// member of the family by a line: `extension KeptObject: Shape {}`. A type of the family's own may read the decoder as
/// it likes.
public protocol KeepingPolymorphicFamily: PolymorphicFamily {
    /// The type of values of unknown kinds. It must be a `Base`, and writes the discriminator that it read.
    static var keptType: any Decodable.Type { get }
}

/// A value of unknown kind, kept or refused by the policy.
enum UnknownKindReading<Family: PolymorphicFamily> {
    /// A kept value.
    case kept(Family.Base)
    /// A value to be skipped or rejected.
    case refused(SkippedKind, UnknownKinds)
}
