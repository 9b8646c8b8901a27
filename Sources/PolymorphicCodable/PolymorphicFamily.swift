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
/// Encoding needs nothing more: a value writes its own discriminator, or ``Polymorphic`` writes it for the value. What
/// becomes of kinds that are not among the cases is the decoder's ``UnknownKindPolicy``.
public protocol PolymorphicFamily: RawRepresentable, CaseIterable, Sendable where RawValue == String {
    /// What all the kinds are: a protocol's existential, as `any Shape`, or a base class.
    associatedtype Base
    /// The name of the member that tells the kind; the first case counts.
    associatedtype Discriminator: CodingKey & CaseIterable = TypeDiscriminator
    /// The type of this kind. It must be a ``Base``.
    var type: any Decodable.Type { get }
}
