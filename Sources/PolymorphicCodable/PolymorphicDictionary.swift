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
