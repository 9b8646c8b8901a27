/// The place of a polymorphic value that hands it to something else to write: a nested value, which still is one with a
/// discriminator, or a scalar, which cannot have one.
struct DiscriminatingSingleValueEncoding<Discriminator: CodingKey>: SingleValueEncodingContainer {
    let encoder: DiscriminatingEncoder<Discriminator>

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws {
        var container = scalar()
        try container.encodeNil()
    }

    mutating func encode(_ value: Bool) throws { try encode(scalar: value) }
    mutating func encode(_ value: String) throws { try encode(scalar: value) }
    mutating func encode(_ value: Double) throws { try encode(scalar: value) }
    mutating func encode(_ value: Float) throws { try encode(scalar: value) }
    mutating func encode(_ value: Int) throws { try encode(scalar: value) }
    mutating func encode(_ value: Int8) throws { try encode(scalar: value) }
    mutating func encode(_ value: Int16) throws { try encode(scalar: value) }
    mutating func encode(_ value: Int32) throws { try encode(scalar: value) }
    mutating func encode(_ value: Int64) throws { try encode(scalar: value) }
    mutating func encode(_ value: UInt) throws { try encode(scalar: value) }
    mutating func encode(_ value: UInt8) throws { try encode(scalar: value) }
    mutating func encode(_ value: UInt16) throws { try encode(scalar: value) }
    mutating func encode(_ value: UInt32) throws { try encode(scalar: value) }
    mutating func encode(_ value: UInt64) throws { try encode(scalar: value) }
    mutating func encode(_ value: some Encodable) throws { try value.encode(to: encoder) }

    private func encode(scalar value: some Encodable) throws {
        var container = scalar()
        try container.encode(value)
    }

    private func scalar() -> any SingleValueEncodingContainer {
        encoder.slot.refuseObject()
        return encoder.base.singleValueContainer()
    }
}
