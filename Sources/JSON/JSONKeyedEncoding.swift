struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONByteEncoder
    let container: JSONSink.Container

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws { sink(key).writeNull() }
    mutating func encode(_ value: Bool, forKey key: Key) throws { sink(key).write(value) }
    mutating func encode(_ value: String, forKey key: Key) throws { sink(key).write(value) }

    mutating func encode(_ value: Double, forKey key: Key) throws {
        try sink(key).write(value, at: codingPath + [key])
    }

    mutating func encode(_ value: Float, forKey key: Key) throws {
        try sink(key).write(value, at: codingPath + [key])
    }

    mutating func encode(_ value: Int, forKey key: Key) throws { sink(key).write(value) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { sink(key).write(value) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { sink(key).write(value) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { sink(key).write(value) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { sink(key).write(value) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { sink(key).write(value) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { sink(key).write(value) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { sink(key).write(value) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { sink(key).write(value) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { sink(key).write(value) }

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
