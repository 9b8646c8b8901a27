import PolymorphicCodable
import Testing

@Suite struct PolymorphicDecodingTests {
    @Test("structs behind a protocol are decoded by their type, wherever they stand", arguments: Codec.allCases)
    func structs(codec: Codec) throws {
        let drawing = try codec.decode(
            Drawing.self,
            json: #"""
                {"shape":{"type":"circle","radius":1},"optional":{"type":"point"},
                "shapes":[{"side":2.5,"type":"square"}],"optionals":[],
                "named":{"a b":{"type":"label","type2":1}},"nameds":{"x":{"type":"point"}}}
                """#)
        #expect(drawing.shape as? Circle == Circle(radius: 1))
        #expect(drawing.optional is Point)
        #expect(drawing.shapes.map { AnyHashable($0) } == [AnyHashable(Square(side: 2.5))])
        #expect(drawing.optionals?.isEmpty == true)
        #expect(drawing.named.mapValues { AnyHashable($0) } == ["a b": AnyHashable(Label(nil))])
        #expect(drawing.nameds?.keys.sorted() == ["x"])
    }

    @Test(
        "what may be missing may be null too", arguments: Codec.allCases, ["", #","optional":null,"optionals":null"#])
    func missing(codec: Codec, more: String) throws {
        let drawing = try codec.decode(
            Drawing.self, json: #"{"shape":{"type":"point"},"shapes":[],"named":{}\#(more)}"#)
        #expect(drawing.optional == nil && drawing.optionals == nil && drawing.nameds == nil)
    }

    @Test("values of one array are decoded one after the other", arguments: Codec.allCases)
    func unkeyed(codec: Codec) throws {
        let row = try codec.decode(
            Row.self,
            json: #"""
                [{"type":"point"},{"type":"circle","radius":2},null,[{"type":"point"}],[{"type":"point"}],null,
                {"a":{"type":"point"}},{"a":{"type":"point"}},null,{"type":"square","side":1.5}]
                """#)
        #expect(row.kinds == "Point Circle nil [1] [1] nil {1} {1} nil Square nil nil nil")
    }

    @Test("a type can be no more than a value, an array or a dictionary of the family", arguments: Codec.allCases)
    func single(codec: Codec) throws {
        #expect(try codec.decode([Whole].self, json: #"[{"type":"point"}]"#).map(\.kinds) == ["Point"])
        #expect(try codec.decode([Whole].self, json: #"[[{"type":"point"}], null]"#).map(\.kinds) == ["[1]", "nil"])
        #expect(try codec.decode([Whole].self, json: #"[{"a":{"type":"point"}}]"#).map(\.kinds) == ["{1}"])
    }

    @Test("classes of any depth are decoded by the discriminator their family names", arguments: Codec.allCases)
    func classes(codec: Codec) throws {
        let animals = try codec.decode(
            [Polymorphic<AnimalKind>].self,
            json: #"""
                [{"kind":"cat","name":"Tom","owner":"Ann","lives":9},{"kind":"animal","name":"Rex"},
                {"kind":"dog","super":{"name":"Bo","owner":"Al"},"friends":[{"kind":"pet","name":"P","owner":"O"}]}]
                """#
        ).map(\.value)
        let dog = Dog(name: "Bo", owner: "Al", friends: [Pet(name: "P", owner: "O")])
        #expect(animals == [Cat(name: "Tom", owner: "Ann", lives: 9), Animal(name: "Rex"), dog])
    }

    @Test("arrays and dictionaries are synthesised properties too", arguments: Codec.allCases)
    func properties(codec: Codec) throws {
        struct Album: Codable {
            var cover: Polymorphic<ShapeKind>
            var shapes: PolymorphicArray<ShapeKind>
            var named: PolymorphicDictionary<ShapeKind>?
        }
        let json = #"{"cover":{"type":"point"},"shapes":[{"type":"circle","radius":3}]}"#
        let album = try codec.decode(Album.self, json: json)
        #expect(album.cover.value is Point && album.named == nil)
        #expect(album.shapes.values.first as? Circle == Circle(radius: 3))
        #expect(try codec.decode(Album.self, from: codec.encode(album)).shapes.values.count == 1)
    }
}
