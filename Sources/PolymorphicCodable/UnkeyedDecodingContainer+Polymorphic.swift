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
