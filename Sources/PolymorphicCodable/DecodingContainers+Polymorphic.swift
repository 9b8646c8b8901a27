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

extension UnkeyedDecodingContainer {
    /// The value of the family that comes next.
    public mutating func decodePolymorphic<Family: PolymorphicFamily>(
        _ family: Family.Type
    ) throws -> Family.Base {
        try decode(Polymorphic<Family>.self).value
    }

    /// The value of the family that comes next; nil when there is no next element or it is null, or the value
    /// is skipped.
    public mutating func decodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ family: Family.Type
    ) throws -> Family.Base? {
        isAtEnd ? nil : try decode(PolymorphicIfKnown<Family>?.self)?.value
    }

    /// The values of the family in the array that comes next; those are left out that are skipped.
    public mutating func decodePolymorphic<Family: PolymorphicFamily>(
        _ family: [Family].Type
    ) throws -> [Family.Base] {
        try decode(PolymorphicArray<Family>.self).values
    }

    /// The values of the family in the array that comes next; nil when there is no next element or it is null.
    public mutating func decodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ family: [Family].Type
    ) throws -> [Family.Base]? {
        isAtEnd ? nil : try decode(PolymorphicArray<Family>?.self)?.values
    }

    /// The values of the family, by name, in the object that comes next; those are left out that are skipped.
    public mutating func decodePolymorphic<Family: PolymorphicFamily>(
        _ family: [String: Family].Type
    ) throws -> [String: Family.Base] {
        try decode(PolymorphicDictionary<Family>.self).values
    }

    /// The values of the family, by name, in the object that comes next; nil when there is no next element or
    /// it is null.
    public mutating func decodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ family: [String: Family].Type
    ) throws -> [String: Family.Base]? {
        isAtEnd ? nil : try decode(PolymorphicDictionary<Family>?.self)?.values
    }
}

extension SingleValueDecodingContainer {
    /// The value of the family that the decoder holds.
    public func decodePolymorphic<Family: PolymorphicFamily>(
        _ family: Family.Type
    ) throws -> Family.Base {
        try decode(Polymorphic<Family>.self).value
    }

    /// The value of the family that the decoder holds; nil when it is null, or the value is skipped.
    public func decodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ family: Family.Type
    ) throws -> Family.Base? {
        try decode(PolymorphicIfKnown<Family>?.self)?.value
    }

    /// The values of the family in the array that the decoder holds; those are left out that are skipped.
    public func decodePolymorphic<Family: PolymorphicFamily>(
        _ family: [Family].Type
    ) throws -> [Family.Base] {
        try decode(PolymorphicArray<Family>.self).values
    }

    /// The values of the family in the array that the decoder holds; nil when it is null.
    public func decodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ family: [Family].Type
    ) throws -> [Family.Base]? {
        try decode(PolymorphicArray<Family>?.self)?.values
    }

    /// The values of the family, by name, in the object that the decoder holds; those are left out that are
    /// skipped.
    public func decodePolymorphic<Family: PolymorphicFamily>(
        _ family: [String: Family].Type
    ) throws -> [String: Family.Base] {
        try decode(PolymorphicDictionary<Family>.self).values
    }

    /// The values of the family, by name, in the object that the decoder holds; nil when it is null.
    public func decodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ family: [String: Family].Type
    ) throws -> [String: Family.Base]? {
        try decode(PolymorphicDictionary<Family>?.self)?.values
    }
}
