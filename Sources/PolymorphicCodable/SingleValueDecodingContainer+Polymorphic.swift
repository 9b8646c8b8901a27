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
