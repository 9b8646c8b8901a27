import JSON
import Testing

struct JSONValueDecoderTests {
    private struct Item: Codable, Equatable {
        struct Price: Codable, Equatable {
            var amount: Int
        }

        var name: String
        var price: Price
        var tags: [String]?
        var ratio: Double?
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONValueDecoder.decode(type, from: JSONValue(parsing: text))
    }

    private func summary(_ type: (some Decodable).Type, _ text: String) -> String? {
        let error = #expect(throws: DecodingError.self) { try decode(type, text) }
        return error?.jsonSummary
    }

    @Test func `decodes what its types ask for`() throws {
        let text =
            #"[{"name":"a","price":{"amount":1e2},"tags":["x","y"],"ratio":0.5},"#
            + #"{"name":"b","price":{"amount":2},"tags":null}]"#
        #expect(
            try decode([Item].self, text) == [
                Item(name: "a", price: .init(amount: 100), tags: ["x", "y"], ratio: 0.5),
                Item(name: "b", price: .init(amount: 2)),
            ])
    }

    @Test func `says what is wrong and where`() {
        #expect(
            summary([Item].self, #"[{"name":"a","price":{"amount":1}},{"name":"b","price":{}}]"#)
                == "[1].price.amount: missing")
        #expect(
            summary([Item].self, #"[{"name":"a","price":{"amount":"1"}}]"#)
                == "[0].price.amount: expected a number, found a string")
        #expect(
            summary([Item].self, #"[{"name":"a","price":{"amount":1.5}}]"#)
                == "[0].price.amount: 1.5 is not an integer that fits Int")
        #expect(summary([Item].self, #"[{"name":null}]"#) == "[0].name: expected a string, found null")
        #expect(summary(Item.self, "[]") == "root: expected an object, found an array")
        #expect(summary([Int].self, "{}") == "root: expected an array, found an object")
        #expect(summary([Int8].self, "[1,300]") == "[1]: 300 is not an integer that fits Int8")
        #expect(summary([Double].self, "[1e999]") == "[0]: 1e999 is too big")
    }

    @Test func `integers of every width are read to their limits`() throws {
        #expect(try decode([UInt64].self, "[18446744073709551615]") == [.max])
        #expect(try decode([Int64].self, "[-9223372036854775808]") == [.min])
        #expect(try decode([UInt8].self, "[255,0]") == [255, 0])
        #expect(throws: DecodingError.self) { try decode([UInt8].self, "[-1]") }
    }

    @Test func `values pass through with digits and order`() throws {
        struct Envelope: Codable {
            var rest: JSONObject
            var number: JSONNumber
            var any: [JSONValue]
        }
        let text = #"{"rest":{"z":1.10,"a":9007199254740993},"number":1E+2,"any":[null,true,"é",[1.0]]}"#
        let envelope = try decode(Envelope.self, text)
        #expect(String(decoding: try JSONByteEncoder.encode(envelope), as: UTF8.self) == text)
    }

    @Test func `a decoder that goes on to the next element when it is asked for null loses none`() throws {
        let elements: [JSONValue] = [1, .null, "a", .array([.null, false]), .object(["b": .null]), .null]
        #expect(try JSONValue(from: AdvancingDecoder(elements: elements)) == .array(elements))
    }

    @Test func `dictionaries and all keys are in the order of the members`() throws {
        struct Keys: Decodable {
            struct Key: CodingKey {
                var stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }

            var names: [String]

            init(from decoder: any Decoder) throws {
                names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
            }
        }
        #expect(try decode(Keys.self, #"{"z":1,"a":2,"m":3}"#).names == ["z", "a", "m"])
        #expect(try decode([String: Int].self, #"{"z":1,"a":2}"#) == ["z": 1, "a": 2])
    }

    @Test func `reading past the end of an array is an error with its place`() {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(Int.self)
                _ = try container.decode(Int.self)
            }
        }
        #expect(summary([Pair].self, "[[1,2],[1]]") == "[1][1]: the array has no more elements")
    }
}

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
