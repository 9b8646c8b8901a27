import JSON
import Testing

struct JSONByteEncoderTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONByteEncoder.encode(value), as: UTF8.self)
    }

    /// Encodes by a closure, for containers that no synthesized code asks for.
    private struct Scripted: Encodable {
        var script: (any Encoder) throws -> Void

        func encode(to encoder: any Encoder) throws { try script(encoder) }
    }

    private enum Key: String, CodingKey {
        case a, b, c
    }

    @Test func `writes members in the order of encoding`() throws {
        struct Item: Encodable {
            var z = 1
            var a = "é\"\n"
            var list = [1.5, -0.25]
            var flag = true
            var nothing: Int?
            var inner = ["k": [Int8(1)]]
        }
        #expect(try text(Item()) == #"{"z":1,"a":"é\"\n","list":[1.5,-0.25],"flag":true,"inner":{"k":[1]}}"#)
        #expect(try text([Int]()) == "[]")
        #expect(try text([String: Int]()) == "{}")
        #expect(try text(Int?.none) == "null")
        #expect(try text([[Int?]]([[1, nil], []])) == "[[1,null],[]]")
    }

    @Test func `nested containers close when the outer one goes on`() throws {
        let value = Scripted { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .a)
            try inner.encode(1, forKey: .a)
            var list = outer.nestedUnkeyedContainer(forKey: .b)
            try list.encode("x")
            var deep = list.nestedContainer(keyedBy: Key.self)
            try deep.encodeNil(forKey: .c)
            try outer.encode(2, forKey: .c)
        }
        #expect(try text([value]) == #"[{"a":{"a":1},"b":["x",{"c":null}],"c":2}]"#)
    }

    @Test func `a subclass and its superclass share one object`() throws {
        class Animal: Encodable {
            var name = "cat"
        }
        final class Pet: Animal {
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                try super.encode(to: encoder)
                try container.encode(2, forKey: .b)
            }
        }
        #expect(try text(Pet()) == #"{"a":1,"name":"cat","b":2}"#)
    }

    @Test func `super encoders write under their key`() throws {
        let value = Scripted { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try 1.encode(to: container.superEncoder())
            try 2.encode(to: container.superEncoder(forKey: .b))
        }
        #expect(try text(value) == #"{"super":1,"b":2}"#)
    }

    @Test func `refuses what would make a broken document, and then appends nothing`() throws {
        let interleaved = Scripted { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .a)
            try outer.encode(1, forKey: .b)
            try inner.encode(1, forKey: .a)
        }
        let twoShapes = Scripted { encoder in
            _ = encoder.container(keyedBy: Key.self)
            _ = encoder.unkeyedContainer()
        }
        let nothing = Scripted { _ in }
        var bytes: [UInt8] = [1, 2]
        for misuse in [interleaved, twoShapes, nothing] {
            #expect(throws: EncodingError.self) { try JSONByteEncoder.append(["x": [misuse]], to: &bytes) }
        }
        let infinite = #expect(throws: EncodingError.self) {
            try JSONByteEncoder.append(["x": ["y": Double.infinity]], to: &bytes)
        }
        #expect(infinite?.jsonSummary == "x.y: inf is not a number")
        #expect(bytes == [1, 2])
    }

    @Test func `appends after what is there`() throws {
        var bytes = JSONValue.array([.null]).encoded()
        try JSONByteEncoder.append(["a": 1], to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #"[null]{"a":1}"#)
    }
}
