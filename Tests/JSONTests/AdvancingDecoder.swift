import JSON

/// A decoder of an array, whose container goes on to the next element when it is asked for null, as some do.
struct AdvancingDecoder: Decoder {
    let elements: [JSONValue]
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try JSONValueDecoder(.array(elements)).container(keyedBy: type)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { Elements(elements: elements) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        JSONValueDecoder(.array(elements)).singleValueContainer()
    }

    private struct Elements: UnkeyedDecodingContainer {
        let elements: [JSONValue]
        let codingPath: [any CodingKey] = []
        private(set) var currentIndex = 0

        init(elements: [JSONValue]) {
            self.elements = elements
        }

        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex == elements.count }

        mutating func decodeNil() throws -> Bool {
            try superDecoder().singleValueContainer().decodeNil()
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try Value(from: superDecoder())
        }

        mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            try superDecoder().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try superDecoder().unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder {
            defer { currentIndex += 1 }
            return JSONValueDecoder(elements[currentIndex])
        }
    }
}
