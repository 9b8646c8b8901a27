/// The kinds of one polymorphic type: an enum whose cases are the values of the discriminator.
///
/// A family needs one enum with one property:
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
/// A value may write its own discriminator; otherwise the library writes it. The decoder's ``UnknownKindPolicy``
/// decides about other kinds.
public protocol PolymorphicFamily: PolymorphicForm, RawRepresentable, CaseIterable, Sendable
where RawValue == String, Decoded == Base {
    /// The common type of all kinds: a protocol's existential, as `any Shape`, or a base class.
    associatedtype Base
    /// The name of the discriminator's member; the first case counts.
    associatedtype Discriminator: CodingKey & CaseIterable = TypeDiscriminator
    /// The type of this kind. It must be a ``Base``.
    var type: any Decodable.Type { get }
    /// Whether every kind writes its discriminator itself. If so, the library writes none, and does not encode a value
    /// without one.
    ///
    /// The default is false, unless the base is a class or struct that is `Encodable` itself: a plain `encode` of it
    /// would lose the discriminator, so the family does not compile until it declares this.
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
    /// Reads the discriminator, and then the value as the kind it names. Rejects kinds that the policy would skip.
    /// - Throws: ``PolymorphicDecodingError`` about the discriminator, or an error of the kind's own decoding.
    public static func decodePolymorphic(from decoder: any Decoder) throws -> Base {
        let name = try Self.name(in: decoder)
        if let kind = Self(rawValue: name) { return try decode(kind.type, ofKind: name, from: decoder) }
        switch try decodeUnknown(name, from: decoder) {
        case .kept(let value): return value
        case .refused(let found, _): throw found.refusal
        }
    }

    /// Reads the discriminator, and then the value as the kind it names; nil, and reported, if the policy skips it.
    /// - Throws: ``PolymorphicDecodingError`` about the discriminator, or an error of the kind's own decoding.
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
    /// The discriminator is the kind that has the value's type, and precedes the value's own members. The value may
    /// write the same discriminator itself; it is not repeated. A value whose type belongs to no kind, as a kept one,
    /// or to several, must write the discriminator itself.
    /// - Throws: ``PolymorphicEncodingError``, or an error of the value's own encoding.
    public static func encodePolymorphic(_ value: Base, to encoder: any Encoder) throws {
        let type = Swift.type(of: value as Any)
        guard let encodable = value as? any Encodable else {
            throw PolymorphicEncodingError.notEncodable(type: "\(type)", codingPath: encoder.codingPath)
        }
        try discriminate(type, in: encoder, writing: encodable.encode)
    }

    /// The kind of a value's type; nil if it belongs to no kind, as a kept one, or to several.
    public static func kind(of value: Base) -> Self? {
        let kinds = allCases.filter { $0.type == Swift.type(of: value as Any) }
        return kinds.count == 1 ? kinds.first : nil
    }

    /// Writes the members of a value, after its discriminator.
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

    /// The key of the discriminator.
    static var discriminator: Discriminator {
        guard let key = Discriminator.allCases.first else {
            preconditionFailure("\(Discriminator.self) has no case to name the discriminator")
        }
        return key
    }
}

/// Static functions of the family instead of separate types, and keys of a concrete type instead of the family's: code
/// that is generic in the family alone needs no metadata look-up for every value.
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

/// The default discriminator: `type`.
public enum TypeDiscriminator: String, CodingKey, CaseIterable {
    /// The member `type`.
    case type

    /// The one case, without an array around it, since it is read for every decoded value.
    public static var allCases: CollectionOfOne<TypeDiscriminator> { CollectionOfOne(.type) }
}

/// A family with a type for values of unknown kinds, for the policy `keep`.
///
/// The type keeps all contents of the value and writes them back. ``KeptObject`` does so with any decoder, and joins
/// the family with one line: `extension KeptObject: Shape {}`. A type of the family's own may use the decoder in any
/// way.
public protocol KeepingPolymorphicFamily: PolymorphicFamily {
    /// The type of values of unknown kinds. It must be a `Base`, and writes the discriminator that it has read.
    static var keptType: any Decodable.Type { get }
}

/// A value of unknown kind, kept or refused by the policy.
enum UnknownKindReading<Family: PolymorphicFamily> {
    /// A kept value.
    case kept(Family.Base)
    /// A value to be skipped or rejected.
    case refused(SkippedKind, UnknownKinds)
}
