/// Decodes any `Decodable` type from a JSON value.
///
/// `allKeys` of its keyed containers are in the order of the members, and a ``JSONValue``, ``JSONObject`` or
/// ``JSONNumber`` is passed through as it is. Integers are read exactly, from `1e2` and `100.0` too, and never from a
/// number with a fraction.
package final class JSONValueDecoder: Decoder {
    package let value: JSONValue
    /// Values that the caller passes to the types it decodes.
    package let userInfo: [CodingUserInfoKey: Any]
    private let rootPath: [any CodingKey]
    private let parent: JSONValueDecoder?
    private let key: (any CodingKey)?

    /// A decoder of a value.
    /// - Parameter path: the path of the value within a larger one, for errors.
    package init(_ value: JSONValue, at path: [any CodingKey] = [], userInfo: [CodingUserInfoKey: Any] = [:]) {
        self.value = value
        self.userInfo = userInfo
        rootPath = path
        parent = nil
        key = nil
    }

    init(_ value: JSONValue, under parent: JSONValueDecoder, at key: any CodingKey) {
        self.value = value
        self.userInfo = parent.userInfo
        rootPath = parent.rootPath
        self.parent = parent
        self.key = key
    }

    /// Decodes a value as a type.
    /// - Parameter path: the path of the value within a larger one, for errors.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from value: JSONValue, at path: [any CodingKey] = []
    ) throws -> Value {
        try Value(from: JSONValueDecoder(value, at: path))
    }

    package var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var decoder: JSONValueDecoder? = self
        while let current = decoder {
            if let key = current.key { path.append(key) }
            decoder = current.parent
        }
        return rootPath + path.reversed()
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else {
            throw mismatch([String: JSONValue].self, expected: "an object")
        }
        return KeyedDecodingContainer(JSONKeyedDecoding<Key>(object, decoder: self))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([JSONValue].self, expected: "an array") }
        return JSONUnkeyedDecoding(elements, decoder: self)
    }

    package func singleValueContainer() -> any SingleValueDecodingContainer {
        JSONSingleValueDecoding(decoder: self)
    }
}

extension JSONValueDecoder {
    func string() throws -> String {
        guard case .string(let string) = value else { throw mismatch(String.self, expected: "a string") }
        return string
    }

    func bool() throws -> Bool {
        guard case .bool(let bool) = value else { throw mismatch(Bool.self, expected: "a boolean") }
        return bool
    }

    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        guard case .number(let number) = value else { throw mismatch(type, expected: "a number") }
        guard let integer = number.exactInteger(as: type) else {
            throw corrupted("\(number.literal) is not an integer that fits \(type)")
        }
        return integer
    }

    func double() throws -> Double {
        guard case .number(let number) = value else { throw mismatch(Double.self, expected: "a number") }
        guard let double = number.double else { throw corrupted("\(number.literal) is too big") }
        return double
    }

    func float() throws -> Float {
        let float = Float(try double())
        guard float.isFinite else { throw corrupted("\(value) is too big") }
        return float
    }

    func mismatch(_ type: Any.Type, expected: String) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "expected \(expected), found \(value.kindName)")
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private func corrupted(_ description: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: description))
    }
}

struct JSONSingleValueDecoding: SingleValueDecodingContainer {
    let decoder: JSONValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
    func decode(_ type: String.Type) throws -> String { try decoder.string() }
    func decode(_ type: Double.Type) throws -> Double { try decoder.double() }
    func decode(_ type: Float.Type) throws -> Float { try decoder.float() }

    func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        try decoder.integer(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: decoder) }
}
