struct JSONKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: JSONObject
    private let decoder: JSONValueDecoder

    init(_ object: JSONObject, decoder: JSONValueDecoder) {
        self.object = object
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if case .string(let string) = try value(key) { return string }
        return try child(key).string()
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: child(key))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        let key = JSONPathKey.name("super")
        return JSONValueDecoder(object[key.stringValue] ?? .null, under: decoder, at: key)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        JSONValueDecoder(object[key.stringValue] ?? .null, under: decoder, at: key)
    }

    private func value(_ key: Key) throws -> JSONValue {
        guard let value = object[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: "missing"))
        }
        return value
    }

    private func child(_ key: Key) throws -> JSONValueDecoder {
        JSONValueDecoder(try value(key), under: decoder, at: key)
    }
}

struct JSONUnkeyedDecoding: UnkeyedDecodingContainer {
    private let elements: [JSONValue]
    private let decoder: JSONValueDecoder
    private(set) var currentIndex = 0

    init(_ elements: [JSONValue], decoder: JSONValueDecoder) {
        self.elements = elements
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try child().value.isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try advance(Value(from: child()))
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try advance(child().container(keyedBy: type))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try advance(child().unkeyedContainer())
    }

    mutating func superDecoder() throws -> any Decoder {
        try advance(child())
    }

    private func child() throws -> JSONValueDecoder {
        let key = JSONPathKey.index(currentIndex)
        guard !isAtEnd else {
            let context = DecodingError.Context(
                codingPath: codingPath + [key], debugDescription: "the array has no more elements")
            throw DecodingError.valueNotFound(JSONValue.self, context)
        }
        return JSONValueDecoder(elements[currentIndex], under: decoder, at: key)
    }

    private mutating func advance<Value>(_ value: Value) -> Value {
        currentIndex += 1
        return value
    }
}
