/// The encoder of a polymorphic value: passes all on to another encoder, and the discriminator ahead of it.
struct DiscriminatingEncoder<Discriminator: CodingKey>: Encoder {
    let base: any Encoder
    let slot: DiscriminatorSlot<Discriminator>

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.openObject()
        return KeyedEncodingContainer(
            DiscriminatingKeyedEncoding(base: base.container(keyedBy: type), slot: slot))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.refuseObject()
        return base.unkeyedContainer()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        DiscriminatingSingleValueEncoding(encoder: self)
    }
}
