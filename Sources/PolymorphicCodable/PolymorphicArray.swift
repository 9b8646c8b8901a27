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
