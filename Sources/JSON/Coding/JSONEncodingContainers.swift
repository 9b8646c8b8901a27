struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONByteEncoder
    let container: JSONSink.Container

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws { sink(key).writeNull() }
    mutating func encode(_ value: String, forKey key: Key) throws { sink(key).write(value) }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        try child(key).write(value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        child(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        child(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        child(JSONPathKey.name("super"))
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        child(key)
    }

    private func sink(_ key: some CodingKey) -> JSONSink {
        encoder.sink.prepare(container, key: key.stringValue, at: codingPath + [key])
        return encoder.sink
    }

    private func child(_ key: some CodingKey) -> JSONByteEncoder {
        JSONByteEncoder(sink(key), under: encoder, at: key)
    }
}

struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
    private let encoder: JSONByteEncoder
    private let container: JSONSink.Container
    private(set) var count = 0

    init(encoder: JSONByteEncoder, container: JSONSink.Container) {
        self.encoder = encoder
        self.container = container
    }

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws { next().writeNull() }
    mutating func encode(_ value: String) throws { next().write(value) }
    mutating func encode(_ value: some Encodable) throws { try child().write(value) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        child().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        child().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        child()
    }

    private mutating func next() -> JSONSink {
        encoder.sink.prepare(container, at: codingPath + [JSONPathKey.index(count)])
        count += 1
        return encoder.sink
    }

    private mutating func child() -> JSONByteEncoder {
        let key = JSONPathKey.index(count)
        return JSONByteEncoder(next(), under: encoder, at: key)
    }
}

struct JSONSingleValueEncoding: SingleValueEncodingContainer {
    let encoder: JSONByteEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws { encoder.sink.writeNull() }
    mutating func encode(_ value: Bool) throws { encoder.sink.write(value) }
    mutating func encode(_ value: String) throws { encoder.sink.write(value) }
    mutating func encode(_ value: Double) throws { try encoder.sink.write(value, at: codingPath) }
    mutating func encode(_ value: Float) throws { try encoder.sink.write(value, at: codingPath) }
    mutating func encode(_ value: some FixedWidthInteger & Encodable) throws { encoder.sink.write(value) }
    mutating func encode(_ value: some Encodable) throws { try encoder.write(value) }
}
