/// The form of polymorphic values in a document: one value, an optional one, an array or a dictionary of them.
///
/// A ``PolymorphicFamily`` and a ``PolymorphicBaseClass`` stand for one value. An optional, an array and a dictionary of
/// forms are forms as well, at any depth: `[String: [ShapeKind]]` stands for `[String: [any Shape]]`.
public protocol PolymorphicForm {
    /// The type of the values in the program.
    associatedtype Decoded

    /// Reads values that are required.
    /// - Throws: ``PolymorphicDecodingError`` about a discriminator, or what a kind's own decoding throws.
    static func decodePolymorphic(from decoder: any Decoder) throws -> Decoded

    /// Reads optional values; nil, and reported, if the policy skips them.
    /// - Throws: ``PolymorphicDecodingError`` about a discriminator, or an error of a kind's own decoding.
    static func decodePolymorphicIfKnown(from decoder: any Decoder) throws -> Decoded?

    /// Writes values with their discriminators.
    /// - Throws: ``PolymorphicEncodingError``, or what a value's own encoding throws.
    static func encodePolymorphic(_ value: Decoded, to encoder: any Encoder) throws
}

extension Optional: PolymorphicForm where Wrapped: PolymorphicForm {
    /// The wrapped form's values, or nil.
    public typealias Decoded = Wrapped.Decoded?

    /// Reads nil for null, and if the policy skips the value.
    public static func decodePolymorphic(from decoder: any Decoder) throws -> Wrapped.Decoded? {
        try decodePolymorphicIfKnown(from: decoder) ?? nil
    }

    /// Reads a separate nil for null, so that an array keeps it.
    public static func decodePolymorphicIfKnown(from decoder: any Decoder) throws -> Wrapped.Decoded?? {
        if try decoder.singleValueContainer().decodeNil() { return .some(nil) }
        guard let value = try Wrapped.decodePolymorphicIfKnown(from: decoder) else { return nil }
        return .some(value)
    }

    /// Writes null for nil.
    public static func encodePolymorphic(_ value: Wrapped.Decoded?, to encoder: any Encoder) throws {
        if let value {
            try Wrapped.encodePolymorphic(value, to: encoder)
        } else {
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}

extension Array: PolymorphicForm where Element: PolymorphicForm {
    /// The values in the order of the array.
    public typealias Decoded = [Element.Decoded]

    /// Reads the elements, each as the kind that its discriminator names, without the skipped ones.
    public static func decodePolymorphic(from decoder: any Decoder) throws -> [Element.Decoded] {
        var container = try decoder.unkeyedContainer()
        var values: [Element.Decoded] = []
        values.reserveCapacity(container.count ?? 0)
        while !container.isAtEnd {
            if let value = try container.decode(SkippableValue<Element>.self).value { values.append(value) }
        }
        return values
    }

    /// Reads the elements; an array itself is never skipped.
    public static func decodePolymorphicIfKnown(from decoder: any Decoder) throws -> [Element.Decoded]? {
        try decodePolymorphic(from: decoder)
    }

    /// Writes the elements, each with its discriminator.
    public static func encodePolymorphic(_ values: [Element.Decoded], to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in values {
            try container.encode(Polymorphic<Element>(wrappedValue: value))
        }
    }
}

/// Uses the coder's own coding of dictionaries, whose keys are exempt from its strategy for member names.
extension Dictionary: PolymorphicForm where Key == String, Value: PolymorphicForm {
    /// The values by name.
    public typealias Decoded = [String: Value.Decoded]

    /// Reads the values, each as the kind that its discriminator names, without the skipped ones.
    public static func decodePolymorphic(from decoder: any Decoder) throws -> [String: Value.Decoded] {
        let container = try decoder.singleValueContainer()
        return try container.decode([String: SkippableValue<Value>].self).compactMapValues(\.value)
    }

    /// Reads the values; a dictionary itself is never skipped.
    public static func decodePolymorphicIfKnown(from decoder: any Decoder) throws -> [String: Value.Decoded]? {
        try decodePolymorphic(from: decoder)
    }

    /// Writes the values, each with its discriminator.
    public static func encodePolymorphic(_ values: [String: Value.Decoded], to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values.mapValues { Polymorphic<Value>(wrappedValue: $0) })
    }
}

/// A value that decodes even if it is skipped, so that any decoder continues with the next one.
struct SkippableValue<Form: PolymorphicForm>: Decodable {
    /// The decoded value; nil when it was skipped.
    let value: Form.Decoded?

    init(from decoder: any Decoder) throws {
        value = try Form.decodePolymorphicIfKnown(from: decoder)
    }
}
