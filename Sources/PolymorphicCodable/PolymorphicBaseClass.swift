/// The base class of a hierarchy, which declares the kinds of its objects.
///
/// ```swift
/// class Message: PolymorphicBaseClass {
///     enum Kinds: String, PolymorphicFamily {
///         case text, picture
///         typealias Base = Message
///         var type: any Decodable.Type {
///             switch self {
///             case .text: TextMessage.self
///             case .picture: PictureMessage.self
///             }
///         }
///     }
///     final func encode(to encoder: any Encoder) throws { try encodeAsKind(to: encoder) }
///     func encodeMembers(to encoder: any Encoder) throws {}
/// }
/// ```
/// Objects are `Encodable`. The base class declares `encode(to:)` once and `final`, by ``encodeAsKind(to:)``, which writes the
/// discriminator of the object's class wherever an object is encoded, with a wrapper or without. So a subclass that declares
/// an `encode(to:)` of its own, which would never be called, does not compile. A class writes its members in
/// ``encodeMembers(to:)``, and a subclass overrides that and calls `super`.
///
/// Each class that is a kind is `Decodable`. A base class that is not a kind should not be: a property of its type then
/// only compiles with ``PolymorphicValue``, and cannot be read as an object of the base class by mistake.
public protocol PolymorphicBaseClass: AnyObject, Encodable, PolymorphicForm where Decoded == Kinds.Base {
    /// The kinds of the hierarchy, whose `Base` is the class.
    associatedtype Kinds: PolymorphicFamily

    /// Writes the members of the object, without its discriminator.
    func encodeMembers(to encoder: any Encoder) throws
}

extension PolymorphicFamily where Base: PolymorphicBaseClass {
    /// The library writes the discriminator for the base class.
    public static var kindsWriteDiscriminator: Bool { false }
}

extension PolymorphicBaseClass {
    /// Prevents a synthesised `encode(to:)`, which would write no discriminator.
    @available(
        *, unavailable,
        message:
            "the base class declares: final func encode(to encoder: any Encoder) throws { try encodeAsKind(to: encoder) }"
    )
    public func encode(to encoder: any Encoder) throws { try encodeAsKind(to: encoder) }

    /// Writes the object with its discriminator.
    /// - Throws: ``PolymorphicEncodingError``, also for an object of a class that is not a kind, and the errors of
    ///   ``encodeMembers(to:)``.
    public func encodeAsKind(to encoder: any Encoder) throws {
        try Kinds.discriminate(type(of: self), in: encoder, writing: encodeMembers)
    }

    /// Reads the object as the kind that its discriminator names.
    public static func decodePolymorphic(from decoder: any Decoder) throws -> Kinds.Base {
        try Kinds.decodePolymorphic(from: decoder)
    }

    /// Reads the object as the kind that its discriminator names; nil, and reported, if the policy skips it.
    public static func decodePolymorphicIfKnown(from decoder: any Decoder) throws -> Kinds.Base? {
        try Kinds.decodePolymorphicIfKnown(from: decoder)
    }

    /// Writes the object with its discriminator.
    public static func encodePolymorphic(_ value: Kinds.Base, to encoder: any Encoder) throws {
        try Kinds.encodePolymorphic(value, to: encoder)
    }
}
