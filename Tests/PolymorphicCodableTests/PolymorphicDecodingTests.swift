import PolymorphicCodable
import Testing

struct PolymorphicDecodingTests {
    @Test(arguments: Codec.allCases)
    func `structs behind a protocol are decoded by their type, wherever they stand`(codec: Codec) throws {
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

    @Test(arguments: Codec.allCases, ["", #","optional":null,"optionals":null"#])
    func `what may be missing may be null too`(codec: Codec, more: String) throws {
        let drawing = try codec.decode(
            Drawing.self, json: #"{"shape":{"type":"point"},"shapes":[],"named":{}\#(more)}"#)
        #expect(drawing.optional == nil && drawing.optionals == nil && drawing.nameds == nil)
    }

    @Test(arguments: Codec.allCases)
    func `classes of any depth are decoded by the discriminator their family names`(codec: Codec) throws {
        let animals = try codec.decode(
            [Polymorphic<AnimalKind>].self,
            json: #"""
                [{"kind":"cat","name":"Tom","owner":"Ann","lives":9},{"kind":"animal","name":"Rex"},
                {"kind":"dog","super":{"name":"Bo","owner":"Al"},"friends":[{"kind":"pet","name":"P","owner":"O"}]}]
                """#
        ).map(\.wrappedValue)
        let dog = Dog(name: "Bo", owner: "Al", friends: [Pet(name: "P", owner: "O")])
        #expect(animals == [Cat(name: "Tom", owner: "Ann", lives: 9), Animal(name: "Rex"), dog])
    }

    @Test(arguments: Codec.allCases)
    func `arrays and dictionaries are synthesised properties too`(codec: Codec) throws {
        struct Album: Codable {
            var cover: Polymorphic<ShapeKind>
            var shapes: Polymorphic<[ShapeKind]>
            var named: Polymorphic<[String: ShapeKind]>?
        }
        let json = #"{"cover":{"type":"point"},"shapes":[{"type":"circle","radius":3}]}"#
        let album = try codec.decode(Album.self, json: json)
        #expect(album.cover.wrappedValue is Point && album.named == nil)
        #expect(album.shapes.wrappedValue.first as? Circle == Circle(radius: 3))
        #expect(try codec.decode(Album.self, from: codec.encode(album)).shapes.wrappedValue.count == 1)
    }
}

struct PolymorphicDecodingErrorTests {
    private static let known = #""circle", "square", "point", "label", "group", "newtype", "stray""#

    private static let wrong: [(json: String, message: String)] = [
        (#"[{"type":"point"},{"radius":1}]"#, "[1].type: missing; known are \(known)"),
        (#"[{"type":null}]"#, "[0].type: missing; known are \(known)"),
        (#"[{"type":"hexagon"}]"#, "[0].type: unknown kind \"hexagon\"; known are \(known)"),
        (#"[{"type":""}]"#, "[0].type: unknown kind \"\"; known are \(known)"),
        (#"[{"type":"Circle"}]"#, "[0].type: unknown kind \"Circle\"; known are \(known)"),
        (#"[{"type":["circle"]}]"#, "[0].type: expected a string, found an array; known are \(known)"),
        (#"[{"type":{"a":1}}]"#, "[0].type: expected a string, found an object; known are \(known)"),
        (#"[{"type":"stray","name":"x"}]"#, "[0]: the type of kind \"stray\", Animal, is not Shape"),
        (
            #"[{"type":"group","shapes":[{"type":"point"},{"type":"group","shapes":[{"type":"x"}]}]}]"#,
            "[0].shapes[1].shapes[0].type: unknown kind \"x\"; known are \(known)"
        ),
        (
            #"[{"type":"group","shapes":[],"named":{"left":{}}}]"#,
            "[0].named.left.type: missing; known are \(known)"
        ),
        (
            #"[{"type":"group","shapes":[],"background":{"type":"x"}}]"#,
            "[0].background.type: unknown kind \"x\"; known are \(known)"
        ),
        (
            #"[{"type":"group","shapes":[],"owner":{"kind":"emu"}}]"#,
            #"[0].owner.kind: unknown kind "emu"; known are "animal", "pet", "cat", "dog""#
        ),
    ]

    @Test(arguments: Codec.allCases, wrong)
    func `says where a discriminator is wrong, what was found and what is known`(
        codec: Codec, wrong: (json: String, message: String)
    ) {
        #expect(message { try codec.decode(Polymorphic<[ShapeKind]>.self, json: wrong.json) } == wrong.message)
        #expect(message { try codec.decode([Polymorphic<ShapeKind>].self, json: wrong.json) } == wrong.message)
    }

    @Test(
        arguments: [Codec.json, .orderedJSON, .propertyList],
        [("7", "7"), ("true", "true"), ("0.5", "0.5"), ("18446744073709551615", "18446744073709551615")])
    func `says what stands where a text should`(codec: Codec, value: (json: String, text: String)) {
        let expected = "shapes[0].type: expected a string, found \(value.text); known are \(Self.known)"
        let json = #"{"shapes":[{"type":\#(value.json)}]}"#
        #expect(message { try codec.decode([String: Polymorphic<[ShapeKind]>].self, json: json) } == expected)
    }

    @Test func `names the place of what is wrong with the document itself`() {
        let missing = message { try Codec.json.decode(Polymorphic<ShapeKind>.self, json: "{}") }
        #expect(missing == "type: missing; known are \(Self.known)")
        let stray = message {
            try Codec.json.decode(Polymorphic<ShapeKind>.self, json: #"{"type":"stray","name":"x"}"#)
        }
        #expect(stray == "root: the type of kind \"stray\", Animal, is not Shape")
    }

    @Test(arguments: Codec.allCases)
    func `what the kind itself refuses keeps its place`(codec: Codec) throws {
        let error = #expect(throws: DecodingError.self) {
            try codec.decode(Polymorphic<[ShapeKind]>.self, json: #"[{"type":"point"},{"type":"circle"}]"#)
        }
        guard case .keyNotFound(let key, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(key.stringValue == "radius")
        #expect(context.codingPath.map(\.intValue) == [1])
        #expect(error.flatMap { PolymorphicDecodingError(in: $0) } == nil)
    }

    @Test(arguments: Codec.allCases)
    func `a value that is no object is the decoder's error`(codec: Codec) {
        #expect(throws: DecodingError.self) { try codec.decode([Polymorphic<ShapeKind>].self, json: "[7]") }
        #expect(throws: DecodingError.self) { try codec.decode(Polymorphic<[ShapeKind]>.self, json: "{}") }
    }

    private func message(_ body: () throws -> Any) -> String? {
        do {
            return "decoded \(try body())"
        } catch {
            return PolymorphicDecodingError(in: error)?.description ?? "\(error)"
        }
    }
}
