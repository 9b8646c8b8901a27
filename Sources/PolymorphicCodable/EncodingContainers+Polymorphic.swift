extension KeyedEncodingContainer {
    /// Writes values, each of which writes its own discriminator, as an array under a key.
    public mutating func encodePolymorphic(_ values: [any Encodable], forKey key: Key) throws {
        try encode(EncodableArray(values: values), forKey: key)
    }

    /// Writes values, each of which writes its own discriminator, as an array under a key; nothing when there
    /// are none (nil).
    public mutating func encodePolymorphicIfPresent(_ values: [any Encodable]?, forKey key: Key) throws {
        if let values { try encodePolymorphic(values, forKey: key) }
    }

    /// Writes values, each of which writes its own discriminator, by name, as an object under a key.
    public mutating func encodePolymorphic(_ values: [String: any Encodable], forKey key: Key) throws {
        try encode(EncodableDictionary(values: values), forKey: key)
    }

    /// Writes values, each of which writes its own discriminator, by name, as an object under a key; nothing
    /// when there are none (nil).
    public mutating func encodePolymorphicIfPresent(_ values: [String: any Encodable]?, forKey key: Key) throws {
        if let values { try encodePolymorphic(values, forKey: key) }
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

    /// Writes values of the family with their discriminators, as an array under a key; nothing for nil.
    public mutating func encodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ values: [Family.Base]?, as family: Family.Type, forKey key: Key
    ) throws {
        if let values { try encodePolymorphic(values, as: family, forKey: key) }
    }

    /// Writes values of the family with their discriminators, by name, as an object under a key; see
    /// ``Polymorphic/encode(to:)``.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(
        _ values: [String: Family.Base], as family: Family.Type, forKey key: Key
    ) throws {
        try encode(PolymorphicDictionary<Family>(values), forKey: key)
    }

    /// Writes values of the family with their discriminators, by name, as an object under a key; nothing for
    /// nil.
    public mutating func encodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ values: [String: Family.Base]?, as family: Family.Type, forKey key: Key
    ) throws {
        if let values { try encodePolymorphic(values, as: family, forKey: key) }
    }

    /// Writes a value, which writes its own discriminator, under a key; nothing for nil.
    public mutating func encodePolymorphicIfPresent(_ value: (any Encodable)?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }
}

extension UnkeyedEncodingContainer {
    /// Writes values, each of which writes its own discriminator as an array, the next element.
    public mutating func encodePolymorphic(_ values: [any Encodable]) throws {
        try encode(EncodableArray(values: values))
    }

    /// Writes values, each of which writes its own discriminator by name as an object, the next element.
    public mutating func encodePolymorphic(_ values: [String: any Encodable]) throws {
        try encode(EncodableDictionary(values: values))
    }

    /// Writes a value of the family with its discriminator as the next element; see ``Polymorphic/encode(to:)``.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(_ value: Family.Base, as family: Family.Type)
        throws
    {
        try encode(Polymorphic<Family>(value))
    }

    /// Writes values of the family with their discriminators as an array, the next element.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(_ values: [Family.Base], as family: Family.Type)
        throws
    {
        try encode(PolymorphicArray<Family>(values))
    }

    /// Writes values of the family with their discriminators by name as an object, the next element.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(
        _ values: [String: Family.Base], as family: Family.Type
    ) throws {
        try encode(PolymorphicDictionary<Family>(values))
    }
}

extension SingleValueEncodingContainer {
    /// Writes values, each of which writes its own discriminator as an array, the one value.
    public mutating func encodePolymorphic(_ values: [any Encodable]) throws {
        try encode(EncodableArray(values: values))
    }

    /// Writes values, each of which writes its own discriminator by name as an object, the one value.
    public mutating func encodePolymorphic(_ values: [String: any Encodable]) throws {
        try encode(EncodableDictionary(values: values))
    }

    /// Writes a value of the family with its discriminator as the one value; see ``Polymorphic/encode(to:)``.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(_ value: Family.Base, as family: Family.Type)
        throws
    {
        try encode(Polymorphic<Family>(value))
    }

    /// Writes values of the family with their discriminators as an array, the one value.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(_ values: [Family.Base], as family: Family.Type)
        throws
    {
        try encode(PolymorphicArray<Family>(values))
    }

    /// Writes values of the family with their discriminators by name as an object, the one value.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(
        _ values: [String: Family.Base], as family: Family.Type
    ) throws {
        try encode(PolymorphicDictionary<Family>(values))
    }
}
