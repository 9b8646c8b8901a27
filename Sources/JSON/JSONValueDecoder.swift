/// Decodes any `Decodable` type from a JSON value.
///
/// `allKeys` of its keyed containers are in the order of the members, and a ``JSONValue``, ``JSONObject`` or
/// ``JSONNumber`` is passed through as it is. Integers are read exactly, from `1e2` and `100.0` too, and never from a
/// number with a fraction.
public final class JSONValueDecoder: Decoder {
    /// The value that is decoded.
    public let value: JSONValue
    /// What the caller of the decoder passes to the types it decodes.
    public let userInfo: [CodingUserInfoKey: Any]
    private let rootPath: [any CodingKey]
    private let parent: JSONValueDecoder?
    private let key: (any CodingKey)?

    /// A decoder of a value.
    /// - Parameter path: the way to the value, for errors, when it is a part of something bigger.
    public init(_ value: JSONValue, at path: [any CodingKey] = [], userInfo: [CodingUserInfoKey: Any] = [:]) {
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
    /// - Parameter path: the way to the value, for errors, when it is a part of something bigger.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from value: JSONValue, at path: [any CodingKey] = []
    ) throws -> Value {
        try Value(from: JSONValueDecoder(value, at: path))
    }

    /// The way from the outermost value to this one.
    public var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var decoder: JSONValueDecoder? = self
        while let current = decoder {
            if let key = current.key { path.append(key) }
            decoder = current.parent
        }
        return rootPath + path.reversed()
    }

    /// The members of an object.
    public func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else {
            throw mismatch([String: JSONValue].self, expected: "an object")
        }
        return KeyedDecodingContainer(JSONKeyedDecoding<Key>(object, decoder: self))
    }

    /// The elements of an array.
    public func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([JSONValue].self, expected: "an array") }
        return JSONUnkeyedDecoding(elements, decoder: self)
    }

    /// The value itself.
    public func singleValueContainer() -> any SingleValueDecodingContainer {
        JSONSingleValueDecoding(decoder: self)
    }
}
