import FoundationEssentials
import PolymorphicCodable
import Testing

@Suite struct PolymorphicEncodingTests {
    @Test("the discriminator is written once, first, by the library or by the value")
    func writtenOnce() throws {
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

    @Test("of classes too, by the class that an object is of")
    func classes() throws {
        let friends = [Cat(name: "C", owner: "O", lives: 9), Animal(name: "A")]
        #expect(
            try text(Polymorphic<AnimalKind>(Dog(name: "D", owner: "O", friends: friends)))
                == #"{"kind":"dog","friends":[{"kind":"cat","owner":"O","name":"C","lives":9},"#
                + #"{"kind":"animal","name":"A"}],"super":{"owner":"O","name":"D"}}"#)
    }

    @Test("values that write their own discriminator need no family", arguments: Codec.allCases)
    func withoutFamily(codec: Codec) throws {
        let page = Page(shapes: [Circle(radius: 1), Label("x")], named: ["a b": Circle(radius: 2)])
        let read = try codec.decode(Drawing.self, from: codec.encode(page))
        #expect(read.shape as? Circle == Circle(radius: 1))
        #expect(read.optional as? Circle == Circle(radius: 1))
        #expect(read.shapes.map { AnyHashable($0) } == [AnyHashable(Circle(radius: 1)), AnyHashable(Label("x"))])
        #expect(read.optionals?.count == 2)
        #expect(read.named.mapValues { AnyHashable($0) } == ["a b": AnyHashable(Circle(radius: 2))])
        #expect(read.nameds == nil)
    }

    @Test("arrays and single values have the same calls", arguments: Codec.allCases)
    func unkeyedAndSingle(codec: Codec) throws {
        let rows = try codec.decode([PolymorphicArray<ShapeKind>].self, from: codec.encode(Rows()))
        #expect(rows.map(\.values.count) == [1, 2])
        for form in Only.Form.allCases {
            let bytes = try codec.encode([Only(form: form)])
            #expect(try codec.decode([Whole].self, from: bytes).map(\.kinds) == [form.rawValue])
        }
    }

    @Test("names of a dictionary are left alone by an encoder that changes those of members")
    func names() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let bytes = try encoder.encode(PolymorphicDictionary<ShapeKind>(["myPoint": Point()]))
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"myPoint":{"type":"point"}}"#)
        let plain = try encoder.encode(Page(shapes: [], named: ["myCircle": Circle(radius: 1)]))
        #expect(String(decoding: plain, as: UTF8.self).contains(#""myCircle":{"#))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let read = try decoder.decode(
            PolymorphicDictionary<ShapeKind>.self, from: Data(#"{"my_point":{"type":"point"}}"#.utf8))
        #expect(read.values.keys.first == "my_point")
    }

    @Test("one type of several kinds writes its own", arguments: ["hammer", "mallet"])
    func sharedType(kind: String) throws {
        #expect(try text(Polymorphic<ToolKind>(Hammer(type: kind))) == #"{"type":"\#(kind)"}"#)
    }

    private func expect(_ shape: any Shape, _ json: String) throws {
        #expect(try text(Polymorphic<ShapeKind>(shape)) == json)
        #expect(try text(PolymorphicArray<ShapeKind>([shape, shape])) == "[\(json),\(json)]")
        #expect(try text(PolymorphicDictionary<ShapeKind>(["a": shape])) == #"{"a":\#(json)}"#)
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try Codec.orderedJSON.encode(value), as: UTF8.self)
    }
}
