/// Values of a polymorphic family as an array, at the root of a document or as a stored property of a type whose coding
/// is synthesised.
public struct PolymorphicArray<Family: PolymorphicFamily> {
    /// The values, in the order of the array; those are missing that were skipped.
    public let values: [Family.Base]

    /// Values, to be encoded.
    public init(_ values: [Family.Base]) {
        self.values = values
    }
}

extension PolymorphicArray: Decodable {
    /// Reads the elements, each as the kind that its discriminator names.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var values: [Family.Base] = []
        values.reserveCapacity(container.count ?? 0)
        while !container.isAtEnd {
            if let value = try container.decode(PolymorphicIfKnown<Family>.self).value { values.append(value) }
        }
        self.values = values
    }
}

extension PolymorphicArray: Encodable {
    /// Writes the values, each with its discriminator; see ``Polymorphic/encode(to:)``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in values {
            try container.encode(Polymorphic<Family>(value))
        }
    }
}

extension PolymorphicArray: Sendable where Family.Base: Sendable {}

/// Values of a polymorphic family by name, at the root of a document or as a stored property of a type whose coding is
/// synthesised.
public struct PolymorphicDictionary<Family: PolymorphicFamily> {
    /// The values by name; those are missing that were skipped.
    public let values: [String: Family.Base]

    /// Values by name, to be encoded.
    public init(_ values: [String: Family.Base]) {
        self.values = values
    }
}

extension PolymorphicDictionary: Decodable {
    /// Reads the values, each as the kind that its discriminator names.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        values = try container.decode([String: PolymorphicIfKnown<Family>].self).compactMapValues(\.value)
    }
}

extension PolymorphicDictionary: Encodable {
    /// Writes the values, each with its discriminator; see ``Polymorphic/encode(to:)``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values.mapValues(Polymorphic<Family>.init))
    }
}

extension PolymorphicDictionary: Sendable where Family.Base: Sendable {}

/// An array of values of several types, each of which writes itself.
struct EncodableArray: Encodable {
    let values: [any Encodable]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in values {
            try container.encode(value)
        }
    }
}
