import PolymorphicCodable
import Testing

struct PolymorphicWrapperTests {
    private static let required = #"""
        "frame":{"type":"circle","radius":1},"shapes":[{"type":"square","side":2.5}],"named":{"a b":{"type":"point"}},
        "owner":{"kind":"pet","name":"P","owner":"O"},"stalls":{"left":{"kind":"animal","name":"A"}},
        "herd":[{"kind":"cat","name":"C","owner":"O","lives":9},{"kind":"animal","name":"B"}]
        """#

    private static let optional = #"""
        ,"background":{"type":"point"},"layers":{"top":[{"type":"point"}]},"holes":[{"type":"point"},null],
        "pet":{"kind":"cat","name":"C","owner":"O","lives":1}
        """#

    @Test(arguments: Codec.allCases, ["", optional])
    func `synthesised coding reads and writes every form, nil as a missing member`(codec: Codec, more: String) throws {
        let json = "{\(Self.required)\(more)}"
        let sketch = try codec.decode(Sketch.self, json: json)
        #expect(sketch.frame as? Circle == Circle(radius: 1))
        #expect(sketch.herd == [Cat(name: "C", owner: "O", lives: 9), Animal(name: "B")])
        #expect((sketch.pet == nil) == more.isEmpty && (sketch.background == nil) == more.isEmpty)
        let written = try codec.decode(KeptValue.self, from: codec.encode(sketch))
        #expect(try written == codec.decode(KeptValue.self, json: json))
    }

    @Test(arguments: Codec.allCases)
    func `null is nil, and a missing member is nil only where it may be`(codec: Codec) throws {
        let nulls = #","background":null,"layers":null,"holes":null,"pet":null"#
        let sketch = try codec.decode(Sketch.self, json: "{\(Self.required)\(nulls)}")
        #expect(sketch.background == nil && sketch.layers == nil && sketch.holes == nil && sketch.pet == nil)
        #expect(throws: DecodingError.self) { try codec.decode(Sketch.self, json: #"{"frame":{"type":"point"}}"#) }
    }

    @Test(arguments: Codec.allCases)
    func `every form stands at the root of a document`(codec: Codec) throws {
        let cat = Cat(name: "C", owner: "O", lives: 9)
        try expect(PolymorphicValue(wrappedValue: cat as Animal), codec)
        try expect(PolymorphicValue(wrappedValue: [cat, Animal(name: "A")]), codec)
        try expect(PolymorphicValue(wrappedValue: ["a": [cat as Animal?, nil]]), codec)
    }

    @Test func `wrappers are as equal as what they wrap`() {
        struct Stable: Codable, Hashable, Sendable {
            @Polymorphic<NameKind> var name: Name
        }
        let ann = Stable(name: Name(text: "Ann"))
        #expect(ann == Stable(name: Name(text: "Ann")) && ann != Stable(name: Name(text: "Bo")))
        #expect(Set([ann, ann]).count == 1)
    }

    private func expect<Value>(_ value: PolymorphicValue<Value>, _ codec: Codec) throws where Value: Hashable {
        #expect(try codec.decode(PolymorphicValue<Value>.self, from: codec.encode(value)) == value)
    }
}

struct PlainEncodingTests {
    private static let cat = #"{"kind":"cat","owner":"O","name":"C","lives":9}"#

    @Test func `an object writes its discriminator wherever it is encoded`() throws {
        struct Basket: Encodable {
            var first: Animal
            var second: Animal?
            var third: [Animal]
            var fourth: [String: Animal]
            var fifth: Cat
        }
        let cat = Cat(name: "C", owner: "O", lives: 9)
        #expect(try text(cat) == Self.cat)
        #expect(try text([cat, cat]) == "[\(Self.cat),\(Self.cat)]")
        let basket = Basket(first: cat, second: cat, third: [cat], fourth: ["a": cat], fifth: cat)
        let members = #""first":\#(Self.cat),"second":\#(Self.cat),"third":[\#(Self.cat)],"fourth":{"a":\#(Self.cat)}"#
        #expect(try text(basket) == #"{\#(members),"fifth":\#(Self.cat)}"#)
    }

    @Test func `an object of a class that is no kind is not written`() {
        final class Puppy: Pet {}
        let error = #expect(throws: PolymorphicEncodingError.self) { try text([Puppy(name: "P", owner: "O")]) }
        #expect(
            error?.description
                == #"[0].kind: Puppy is of no kind and writes none; known are "animal", "pet", "cat", "dog""#)
    }

    @Test func `what encodes by itself has its discriminator from the family alone`() throws {
        let square: any Shape = Square(side: 0.5)
        #expect(try text(square) == #"{"side":0.5}"#)
        #expect(try text(Polymorphic<ShapeKind>(wrappedValue: square)) == #"{"type":"square","side":0.5}"#)
    }

    @Test func `kinds that write their discriminator are left to it, and one without it is not written`() throws {
        let name = Name(text: "Ann")
        #expect(try text(name) == #"{"text":"Ann","type":"name"}"#)
        #expect(try text(Polymorphic<NameKind>(wrappedValue: name)) == #"{"text":"Ann","type":"name"}"#)
        let error = #expect(throws: PolymorphicEncodingError.self) {
            try text(Polymorphic<NameKind>(wrappedValue: Name(text: "Ann", type: nil)))
        }
        #expect(error?.description == #"type: Name is of no kind and writes none; known are "name""#)
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try Codec.orderedJSON.encode(value), as: UTF8.self)
    }
}

/// A base that encodes by itself, so that its family has to say who writes the discriminator.
struct Name: Codable, Hashable {
    var text: String
    var type: String? = "name"
}

enum NameKind: String, PolymorphicFamily {
    case name

    typealias Base = Name

    static var kindsWriteDiscriminator: Bool { true }

    var type: any Decodable.Type { Name.self }
}
