/// An object that a polymorphic value writes, without the discriminator if that is written already.
struct DiscriminatingKeyedEncoding<Key: CodingKey, Discriminator: CodingKey>: KeyedEncodingContainerProtocol {
    var base: KeyedEncodingContainer<Key>
    let slot: DiscriminatorSlot<Discriminator>

    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        if try slot.admitsNull(forKey: key) { try base.encodeNil(forKey: key) }
    }

    mutating func encode(_ value: Bool, forKey key: Key) throws {
        if try slot.admits(value, forKey: key) { try base.encode(value, forKey: key) }
    }

    mutating func encode(_ value: String, forKey key: Key) throws {
        if try slot.admits(value, forKey: key) { try base.encode(value, forKey: key) }
    }

    mutating func encode(_ value: Double, forKey key: Key) throws {
        if try slot.admits(value, forKey: key) { try base.encode(value, forKey: key) }
    }

    mutating func encode(_ value: Int, forKey key: Key) throws {
        if try slot.admits(value, forKey: key) { try base.encode(value, forKey: key) }
    }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        if try slot.admits(value, forKey: key) { try base.encode(value, forKey: key) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        slot.admitsContainer(forKey: key)
            ? base.nestedContainer(keyedBy: type, forKey: key) : aside().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        slot.admitsContainer(forKey: key) ? base.nestedUnkeyedContainer(forKey: key) : aside().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        base.superEncoder()
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        slot.admitsContainer(forKey: key) ? base.superEncoder(forKey: key) : aside()
    }

    /// A key for members that are refused in the end: encoders may trap on a container in a string's place.
    private mutating func aside() -> any Encoder {
        base.superEncoder()
    }
}
