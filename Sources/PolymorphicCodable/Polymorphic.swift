/// Values of a polymorphic family, as a property with synthesised coding and at the root of a document.
///
/// The family defines the kinds, and is written in the form of the values:
/// ```swift
/// struct Drawing: Codable {
///     @Polymorphic<ShapeKind> var frame: any Shape
///     @Polymorphic<[ShapeKind]> var shapes: [any Shape]
///     @Polymorphic<[String: ShapeKind]> var named: [String: any Shape]
///     @Polymorphic<ShapeKind?> var background: (any Shape)?
/// }
/// let shapes = try JSONDecoder().decode(Polymorphic<[ShapeKind]>.self, from: json).wrappedValue
/// ```
/// A class that declares its kinds itself uses ``PolymorphicValue`` without a family.
@propertyWrapper
public struct Polymorphic<Form: PolymorphicForm> {
    /// The values.
    public var wrappedValue: Form.Decoded

    /// Wraps values.
    public init(wrappedValue: Form.Decoded) {
        self.wrappedValue = wrappedValue
    }
}

extension Polymorphic: Codable {
    /// Reads the values, each as the kind that its discriminator names.
    /// - Throws: ``PolymorphicDecodingError`` about a discriminator, or what a kind's own decoding throws.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Form.decodePolymorphic(from: decoder)
    }

    /// Writes the values with their discriminators.
    /// - Throws: ``PolymorphicEncodingError``, or what a value's own encoding throws.
    public func encode(to encoder: any Encoder) throws {
        try Form.encodePolymorphic(wrappedValue, to: encoder)
    }
}

extension Polymorphic: Equatable where Form.Decoded: Equatable {}
extension Polymorphic: Hashable where Form.Decoded: Hashable {}
extension Polymorphic: Sendable where Form.Decoded: Sendable {}

/// Objects of a class that declares its kinds, as a property with synthesised coding and at the root of a document:
/// `@PolymorphicValue var answers: [Message]`.
///
/// The type is a ``PolymorphicBaseClass``, or an optional, an array or a dictionary of one. A subclass of the base
/// class does not compile, because its kinds are those of the base class.
@propertyWrapper
public struct PolymorphicValue<Value: PolymorphicForm> where Value.Decoded == Value {
    /// The objects.
    public var wrappedValue: Value

    /// Wraps objects.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

extension PolymorphicValue: Codable {
    /// Reads the objects, each as the kind that its discriminator names.
    /// - Throws: ``PolymorphicDecodingError`` about a discriminator, or what a kind's own decoding throws.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Value.decodePolymorphic(from: decoder)
    }

    /// Writes the objects with their discriminators.
    /// - Throws: ``PolymorphicEncodingError``, or what an object's own encoding throws.
    public func encode(to encoder: any Encoder) throws {
        try Value.encodePolymorphic(wrappedValue, to: encoder)
    }
}

extension PolymorphicValue: Equatable where Value: Equatable {}
extension PolymorphicValue: Hashable where Value: Hashable {}
extension PolymorphicValue: Sendable where Value: Sendable {}
