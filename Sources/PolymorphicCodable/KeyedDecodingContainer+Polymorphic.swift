extension KeyedDecodingContainer {
    /// The value of the family under a key.
    public func decodePolymorphic<Family: PolymorphicFamily>(
        _ family: Family.Type, forKey key: Key
    ) throws -> Family.Base {
        try decode(Polymorphic<Family>.self, forKey: key).value
    }

    /// The value of the family under a key; nil when the key is missing or its value is null.
    public func decodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ family: Family.Type, forKey key: Key
    ) throws -> Family.Base? {
        try decodeIfPresent(Polymorphic<Family>.self, forKey: key)?.value
    }

    /// The values of the family in the array under a key.
    public func decodePolymorphic<Family: PolymorphicFamily>(
        _ family: [Family].Type, forKey key: Key
    ) throws -> [Family.Base] {
        try decode([Polymorphic<Family>].self, forKey: key).map(\.value)
    }

    /// The values of the family in the array under a key; nil when the key is missing or its value is null.
    public func decodePolymorphicIfPresent<Family: PolymorphicFamily>(
        _ family: [Family].Type, forKey key: Key
    ) throws -> [Family.Base]? {
        try decodeIfPresent([Polymorphic<Family>].self, forKey: key)?.map(\.value)
    }
}
