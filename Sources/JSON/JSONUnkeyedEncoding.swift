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
    mutating func encode(_ value: Bool) throws { next().write(value) }
    mutating func encode(_ value: String) throws { next().write(value) }
    mutating func encode(_ value: Double) throws { try next().write(value, at: codingPath) }
    mutating func encode(_ value: Float) throws { try next().write(value, at: codingPath) }
    mutating func encode(_ value: Int) throws { next().write(value) }
    mutating func encode(_ value: Int8) throws { next().write(value) }
    mutating func encode(_ value: Int16) throws { next().write(value) }
    mutating func encode(_ value: Int32) throws { next().write(value) }
    mutating func encode(_ value: Int64) throws { next().write(value) }
    mutating func encode(_ value: UInt) throws { next().write(value) }
    mutating func encode(_ value: UInt8) throws { next().write(value) }
    mutating func encode(_ value: UInt16) throws { next().write(value) }
    mutating func encode(_ value: UInt32) throws { next().write(value) }
    mutating func encode(_ value: UInt64) throws { next().write(value) }
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
