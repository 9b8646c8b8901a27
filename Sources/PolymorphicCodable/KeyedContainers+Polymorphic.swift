extension KeyedDecodingContainer {
    /// The values under a key, by base class or by family: `Message.self`, `[Message].self`, `[String: MessageKind].self`.
    /// Arrays and dictionaries leave out the values that are skipped.
    public func decodePolymorphic<Form: PolymorphicForm>(
        _ form: Form.Type, forKey key: Key
    ) throws -> Form.Decoded {
        try decode(Polymorphic<Form>.self, forKey: key).wrappedValue
    }

    /// The values under a key; nil when the key is missing or its value is null, or the value is skipped.
    public func decodePolymorphicIfPresent<Form: PolymorphicForm>(
        _ form: Form.Type, forKey key: Key
    ) throws -> Form.Decoded? {
        try decodeIfPresent(SkippableValue<Form>.self, forKey: key)?.value
    }
}

extension KeyedEncodingContainer {
    /// Writes values of a family with their discriminators under a key.
    public mutating func encodePolymorphic<Form: PolymorphicForm>(
        _ value: Form.Decoded, as form: Form.Type, forKey key: Key
    ) throws {
        try encode(Polymorphic<Form>(wrappedValue: value), forKey: key)
    }

    /// Writes values of a family with their discriminators under a key; nothing for nil.
    public mutating func encodePolymorphicIfPresent<Form: PolymorphicForm>(
        _ value: Form.Decoded?, as form: Form.Type, forKey key: Key
    ) throws {
        if let value { try encodePolymorphic(value, as: form, forKey: key) }
    }
}

/// Synthesised coding treats a wrapper like any other value, for which a missing key is an error. These overloads are
/// more specific than the standard library's, so synthesised coding uses them for optional values and treats those like
/// every optional.
extension KeyedDecodingContainer {
    /// The wrapped values under a key; nil when the key is missing or its value is null, or the value is skipped.
    public func decode<Form: PolymorphicForm>(
        _ type: Polymorphic<Form?>.Type, forKey key: Key
    ) throws -> Polymorphic<Form?> {
        Polymorphic(wrappedValue: try decodePolymorphicIfPresent(Form.self, forKey: key))
    }

    /// The wrapped objects under a key; nil when the key is missing or its value is null, or the object is skipped.
    public func decode<Value: PolymorphicForm>(
        _ type: PolymorphicValue<Value?>.Type, forKey key: Key
    ) throws -> PolymorphicValue<Value?> where Value.Decoded == Value {
        PolymorphicValue(wrappedValue: try decodePolymorphicIfPresent(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Writes the wrapped values under a key; nothing for nil.
    public mutating func encode<Form: PolymorphicForm>(_ value: Polymorphic<Form?>, forKey key: Key) throws {
        try encodePolymorphicIfPresent(value.wrappedValue, as: Form.self, forKey: key)
    }

    /// Writes the wrapped objects under a key; nothing for nil.
    public mutating func encode<Value: PolymorphicForm>(
        _ value: PolymorphicValue<Value?>, forKey key: Key
    ) throws where Value.Decoded == Value {
        try encodePolymorphicIfPresent(value.wrappedValue, as: Value.self, forKey: key)
    }
}
