import FoundationEssentials
import PolymorphicCodable
import Testing

struct PolymorphicEncodingTests {
    @Test func `a value tells its kind, one that was kept tells none`() {
        #expect(AnimalKind.kind(of: Animal(name: "A")) == .animal)
        #expect(AnimalKind.kind(of: Dog(name: "B", owner: "C", friends: [])) == .dog)
        #expect(AnimalKind.kind(of: UnknownAnimal(name: "D", content: [:])) == nil)
        #expect(ShapeKind.kind(of: Circle(radius: 1)) == .circle)
    }

    @Test func `the discriminator is written once, first, by the library or by the value`() throws {
        try expect(Circle(radius: 1), #"{"type":"circle","radius":1}"#)
        try expect(Square(side: 2.5), #"{"type":"square","side":2.5}"#)
        try expect(Point(), #"{"type":"point"}"#)
        try expect(Label("x"), #"{"type":"label","text":"x"}"#)
        try expect(Newtype(Square(side: 0.5)), #"{"type":"newtype","side":0.5}"#)
        try expect(["a": .null, "type": .string("new")] as KeptObject, #"{"a":null,"type":"new"}"#)
        try expect(
            Group([Point()], background: Circle(radius: 2), owner: Pet(name: "P", owner: "O")),
            #"{"type":"group","shapes":[{"type":"point"}],"named":{},"background":{"type":"circle","radius":2},"#
                + #""owner":{"kind":"pet","owner":"O","name":"P"}}"#)
    }

    @Test func `of classes too, by the class that an object is of`() throws {
        let friends = [Cat(name: "C", owner: "O", lives: 9), Animal(name: "A")]
        #expect(
            try text(Polymorphic<AnimalKind>(wrappedValue: Dog(name: "D", owner: "O", friends: friends)))
                == #"{"kind":"dog","friends":[{"kind":"cat","owner":"O","name":"C","lives":9},"#
                + #"{"kind":"animal","name":"A"}],"super":{"owner":"O","name":"D"}}"#)
    }

    @Test(arguments: Codec.allCases)
    func `values that write their own discriminator need no family`(codec: Codec) throws {
        let page = Page(shapes: [Circle(radius: 1), Label("x")], named: ["a b": Circle(radius: 2)])
        let read = try codec.decode(Drawing.self, from: codec.encode(page))
        #expect(read.shape as? Circle == Circle(radius: 1))
        #expect(read.shapes.map { AnyHashable($0) } == [AnyHashable(Circle(radius: 1)), AnyHashable(Label("x"))])
        #expect(read.named.mapValues { AnyHashable($0) } == ["a b": AnyHashable(Circle(radius: 2))])
    }

    @Test func `names of a dictionary are left alone by an encoder that changes those of members`() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let bytes = try encoder.encode(Polymorphic<[String: ShapeKind]>(wrappedValue: ["myPoint": Point()]))
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"myPoint":{"type":"point"}}"#)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let read = try decoder.decode(
            Polymorphic<[String: ShapeKind]>.self, from: Data(#"{"my_point":{"type":"point"}}"#.utf8))
        #expect(read.wrappedValue.keys.first == "my_point")
    }

    @Test(arguments: ["hammer", "mallet"])
    func `one type of several kinds writes its own`(kind: String) throws {
        #expect(try text(Polymorphic<ToolKind>(wrappedValue: Hammer(type: kind))) == #"{"type":"\#(kind)"}"#)
    }

    private func expect(_ shape: any Shape, _ json: String) throws {
        #expect(try text(Polymorphic<ShapeKind>(wrappedValue: shape)) == json)
        #expect(try text(Polymorphic<[ShapeKind]>(wrappedValue: [shape, shape])) == "[\(json),\(json)]")
        #expect(try text(Polymorphic<[String: ShapeKind]>(wrappedValue: ["a": shape])) == #"{"a":\#(json)}"#)
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try Codec.orderedJSON.encode(value), as: UTF8.self)
    }
}

struct PolymorphicEncodingErrorTests {
    private static let wrong: [(tool: any Tool, message: String)] = [
        (
            Hammer(type: nil),
            #"a.type: Hammer is of no kind and writes none; known are "hammer", "mallet", "saw", "number", "row""#
        ),
        (Hammer(type: "saw"), #"a.type: "saw" is written by a value of kind "hammer", "mallet""#),
        (Saw(.text("hammer")), #"a.type: "hammer" is written by a value of kind "saw""#),
        (Saw(.number(7)), #"a.type: a value of type Int is written by a value of kind "saw""#),
        (Saw(.list([])), #"a.type: a value of type Array<String> is written by a value of kind "saw""#),
        (Saw(.nothing), #"a.type: null is written by a value of kind "saw""#),
        (Saw(.nested), #"a.type: a container is written by a value of kind "saw""#),
        (7, "a: Int is not written as an object"),
        ([7], "a: Array<Int> is not written as an object"),
    ]

    @Test(arguments: Codec.allCases, wrong)
    func `what could not be read back is not written`(codec: Codec, wrong: (tool: any Tool, message: String)) {
        let error = #expect(throws: (any Error).self) {
            try codec.encode(["a": Polymorphic<ToolKind>(wrappedValue: wrong.tool)])
        }
        #expect(error.flatMap { PolymorphicEncodingError(in: $0) }?.description == wrong.message)
    }

    @Test func `a subclass that the family does not list is not written as its superclass`() {
        final class Puppy: Pet {}
        let error = #expect(throws: PolymorphicEncodingError.self) {
            try Codec.json.encode(Polymorphic<[AnimalKind]>(wrappedValue: [Puppy(name: "P", owner: "O")]))
        }
        #expect(
            error?.description
                == #"[0].kind: Puppy is of no kind and writes none; known are "animal", "pet", "cat", "dog""#)
    }

    @Test func `a value that cannot be encoded at all is named`() {
        struct Deaf: Decodable {}
        enum DeafKind: String, PolymorphicFamily {
            case deaf
            typealias Base = Deaf
            var type: any Decodable.Type { Deaf.self }
        }
        let error = #expect(throws: PolymorphicEncodingError.self) {
            try Codec.json.encode([Polymorphic<DeafKind>(wrappedValue: Deaf())])
        }
        #expect(error?.description == "[0]: Deaf is not Encodable")
    }
}
