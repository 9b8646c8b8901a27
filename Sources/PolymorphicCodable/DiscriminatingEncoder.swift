/// The encoder of a polymorphic value: forwards everything to another encoder, and writes the discriminator first.
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

/// An object that a polymorphic value writes, without the discriminator if it has been written.
struct DiscriminatingKeyedEncoding<Key: CodingKey, Discriminator: CodingKey>: KeyedEncodingContainerProtocol {
    var base: KeyedEncodingContainer<Key>
    let slot: DiscriminatorSlot<Discriminator>

    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        if try slot.admitsNull(forKey: key) { try base.encodeNil(forKey: key) }
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

    /// A key for members that are refused in the end: encoders may trap on a container in place of a string.
    private mutating func aside() -> any Encoder {
        base.superEncoder()
    }
}

/// The place of a polymorphic value that delegates its encoding: to a nested value, which also has a discriminator, or
/// to a scalar, which cannot have one.
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
    mutating func encode(_ value: some FixedWidthInteger & Encodable) throws { try encode(scalar: value) }
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

/// The place of the discriminator in an object that is being encoded: ensures that it is written exactly once.
final class DiscriminatorSlot<Discriminator: CodingKey> {
    private let key: Discriminator
    private let kinds: [String]
    private let isLeftToValue: Bool
    private let encoder: any Encoder
    private var isFilled = false
    private var isObject = true
    private var failure: (any Error)?

    /// - Parameters:
    ///   - kinds: the allowed discriminators. None: the value writes any.
    ///   - isLeftToValue: whether the value writes it. If not, the first kind is written before everything else.
    init(_ key: Discriminator, kinds: [String], isLeftToValue: Bool, in encoder: any Encoder) {
        self.key = key
        self.kinds = kinds
        self.isLeftToValue = isLeftToValue
        self.encoder = encoder
    }

    /// The value begins an object, and so its discriminator. It may do so several times, as classes do.
    func openObject() {
        guard !isFilled, !isLeftToValue, let kind = kinds.first else { return }
        isFilled = true
        var container = encoder.container(keyedBy: Discriminator.self)
        do {
            try container.encode(kind, forKey: key)
        } catch {
            failure = error
        }
    }

    /// The value is not an object.
    func refuseObject() {
        isObject = false
    }

    /// Whether the value should write this member itself.
    /// - Throws: `otherDiscriminator` if it is the discriminator and not an allowed one.
    func admits(_ value: some Any, forKey other: some CodingKey) throws -> Bool {
        guard other.stringValue == key.stringValue else { return true }
        guard !kinds.isEmpty else {
            isFilled = true
            return true
        }
        guard let text = Self.text(of: value), kinds.contains(text) else {
            throw refusal(Self.text(of: value).map { "\"\($0)\"" } ?? "a value of type \(type(of: value))")
        }
        defer { isFilled = true }
        return !isFilled
    }

    /// Whether the value should write null as this member: not if it is the discriminator.
    func admitsNull(forKey other: some CodingKey) throws -> Bool {
        guard other.stringValue == key.stringValue, !kinds.isEmpty else { return true }
        throw refusal("null")
    }

    /// Whether the value may write this member as a container: not if it is the discriminator. The callers cannot
    /// throw, so ``finish(valueOf:known:)`` does.
    func admitsContainer(forKey other: some CodingKey) -> Bool {
        guard other.stringValue == key.stringValue, !kinds.isEmpty else { return true }
        failure = refusal("a container")
        return false
    }

    /// The value is complete.
    func finish(valueOf type: Any.Type, known: [String]) throws {
        if isObject { openObject() }
        if let failure { throw failure }
        guard !isFilled else { return }
        guard isObject else {
            throw PolymorphicEncodingError.notAnObject(type: "\(type)", codingPath: encoder.codingPath)
        }
        throw PolymorphicEncodingError.missingDiscriminator(
            type: "\(type)", codingPath: encoder.codingPath + [key], known: known)
    }

    private func refusal(_ found: String) -> PolymorphicEncodingError {
        .otherDiscriminator(found: found, codingPath: encoder.codingPath + [key], expected: kinds)
    }

    private static func text(of value: some Any) -> String? {
        if let text = value as? String { return text }
        return (value as? any RawRepresentable)?.rawValue as? String
    }
}
