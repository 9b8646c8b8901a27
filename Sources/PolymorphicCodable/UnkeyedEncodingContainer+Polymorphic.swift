extension UnkeyedEncodingContainer {
    /// Writes values, each of which writes its own discriminator, as an array as the next element.
    public mutating func encodePolymorphic(_ values: [any Encodable]) throws {
        try encode(EncodableArray(values: values))
    }

    /// Writes values, each of which writes its own discriminator, by name, as an object as the next element.
    public mutating func encodePolymorphic(_ values: [String: any Encodable]) throws {
        try encode(EncodableDictionary(values: values))
    }

    /// Writes a value of the family with its discriminator as the next element; see
    /// ``Polymorphic/encode(to:)``.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(_ value: Family.Base, as family: Family.Type)
        throws
    {
        try encode(Polymorphic<Family>(value))
    }

    /// Writes values of the family with their discriminators, as an array as the next element; see
    /// ``Polymorphic/encode(to:)``.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(_ values: [Family.Base], as family: Family.Type)
        throws
    {
        try encode(PolymorphicArray<Family>(values))
    }

    /// Writes values of the family with their discriminators, by name, as an object as the next element; see
    /// ``Polymorphic/encode(to:)``.
    public mutating func encodePolymorphic<Family: PolymorphicFamily>(
        _ values: [String: Family.Base], as family: Family.Type
    ) throws {
        try encode(PolymorphicDictionary<Family>(values))
    }
}
