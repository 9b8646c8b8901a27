struct JSONSingleValueEncoding: SingleValueEncodingContainer {
    let encoder: JSONByteEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws { encoder.sink.writeNull() }
    mutating func encode(_ value: Bool) throws { encoder.sink.write(value) }
    mutating func encode(_ value: String) throws { encoder.sink.write(value) }
    mutating func encode(_ value: Double) throws { try encoder.sink.write(value, at: codingPath) }
    mutating func encode(_ value: Float) throws { try encoder.sink.write(value, at: codingPath) }
    mutating func encode(_ value: Int) throws { encoder.sink.write(value) }
    mutating func encode(_ value: Int8) throws { encoder.sink.write(value) }
    mutating func encode(_ value: Int16) throws { encoder.sink.write(value) }
    mutating func encode(_ value: Int32) throws { encoder.sink.write(value) }
    mutating func encode(_ value: Int64) throws { encoder.sink.write(value) }
    mutating func encode(_ value: UInt) throws { encoder.sink.write(value) }
    mutating func encode(_ value: UInt8) throws { encoder.sink.write(value) }
    mutating func encode(_ value: UInt16) throws { encoder.sink.write(value) }
    mutating func encode(_ value: UInt32) throws { encoder.sink.write(value) }
    mutating func encode(_ value: UInt64) throws { encoder.sink.write(value) }
    mutating func encode(_ value: some Encodable) throws { try encoder.write(value) }
}
