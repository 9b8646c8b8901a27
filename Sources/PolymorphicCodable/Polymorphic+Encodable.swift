extension Polymorphic: Encodable {
    /// Writes the value with its discriminator.
    ///
    /// The discriminator is that of the kind whose type the value has, and stands before the value's own members. What
    /// the value itself writes under that key must be the same, and is not written again. A value whose type is that of
    /// no kind, as a kept one, or of several, must write the discriminator itself.
    /// - Throws: ``PolymorphicEncodingError``, or what the value's own encoding throws.
    public func encode(to encoder: any Encoder) throws {
        let type = type(of: value as Any)
        guard let encodable = value as? any Encodable else {
            throw PolymorphicEncodingError.notEncodable(type: "\(type)", codingPath: encoder.codingPath)
        }
        let kinds = Family.allCases.filter { $0.type == type }.map(\.rawValue)
        let slot = DiscriminatorSlot(Family.discriminator, kinds: kinds, in: encoder)
        try encodable.encode(to: DiscriminatingEncoder(base: encoder, slot: slot))
        try slot.finish(valueOf: type, known: Family.known)
    }
}
