extension KeyedDecodingContainer {
    /// The value of the family under a key.
    public func decodePolymorphic<Family: PolymorphicFamily>(
        _ family: Family.Type, forKey key: Key
    ) throws -> Family.Base {
        try decode(Polymorphic<Family>.self, forKey: key).value
    }

    /// The value of the family under a key; nil when the key is missing or its value is null, or the value is
    /// skipped.
    public func decodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ family: Family.Type, forKey key: Key
    ) throws -> Family.Base? {
        try decodeIfPresent(PolymorphicIfKnown<Family>.self, forKey: key)?.value
    }

    /// The values of the family in the array under a key; those are left out that are skipped.
    public func decodePolymorphic<Family: PolymorphicFamily>(
        _ family: [Family].Type, forKey key: Key
    ) throws -> [Family.Base] {
        try decode(PolymorphicArray<Family>.self, forKey: key).values
    }

    /// The values of the family in the array under a key; nil when the key is missing or its value is null.
    public func decodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ family: [Family].Type, forKey key: Key
    ) throws -> [Family.Base]? {
        try decodeIfPresent(PolymorphicArray<Family>.self, forKey: key)?.values
    }

    /// The values of the family, by name, in the object under a key; those are left out that are skipped.
    public func decodePolymorphic<Family: PolymorphicFamily>(
        _ family: [String: Family].Type, forKey key: Key
    ) throws -> [String: Family.Base] {
        try decode(PolymorphicDictionary<Family>.self, forKey: key).values
    }

    /// The values of the family, by name, in the object under a key; nil when the key is missing or its value
    /// is null.
    public func decodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ family: [String: Family].Type, forKey key: Key
    ) throws -> [String: Family.Base]? {
        try decodeIfPresent(PolymorphicDictionary<Family>.self, forKey: key)?.values
    }
}

extension KeyedEncodingContainer {
    /// Writes values, each of which writes its own discriminator, as an array under a key.
    public mutating func encodePolymorphic(_ values: [any Encodable], forKey key: Key) throws {
        try encode(EncodableArray(values: values), forKey: key)
    }

    /// Writes a value of the family with its discriminator under a key; see ``Polymorphic/encode(to:)``.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(
        _ value: Family.Base, as family: Family.Type, forKey key: Key
    ) throws {
        try encode(Polymorphic<Family>(value), forKey: key)
    }

    /// Writes a value of the family with its discriminator under a key; nothing for nil.
    public mutating func encodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ value: Family.Base?, as family: Family.Type, forKey key: Key
    ) throws {
        if let value { try encodePolymorphic(value, as: family, forKey: key) }
    }

    /// Writes values of the family with their discriminators, as an array under a key; see
    /// ``Polymorphic/encode(to:)``.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(
        _ values: [Family.Base], as family: Family.Type, forKey key: Key
    ) throws {
        try encode(PolymorphicArray<Family>(values), forKey: key)
    }

    /// Writes values of the family with their discriminators, by name, as an object under a key; see
    /// ``Polymorphic/encode(to:)``.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(
        _ values: [String: Family.Base], as family: Family.Type, forKey key: Key
    ) throws {
        try encode(PolymorphicDictionary<Family>(values), forKey: key)
    }
}
