import PolymorphicCodable
import Testing

@Suite struct PolymorphicDecodingErrorTests {
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

    @Test("says where a discriminator is wrong, what was found and what is known", arguments: Codec.allCases, wrong)
    func saysWhatIsWrong(codec: Codec, wrong: (json: String, message: String)) {
        #expect(message { try codec.decode(PolymorphicArray<ShapeKind>.self, json: wrong.json) } == wrong.message)
        #expect(message { try codec.decode([Polymorphic<ShapeKind>].self, json: wrong.json) } == wrong.message)
    }

    @Test(
        "says what stands where a text should", arguments: [Codec.json, .orderedJSON, .propertyList],
        [("7", "7"), ("true", "true"), ("0.5", "0.5"), ("18446744073709551615", "18446744073709551615")])
    func saysWhatIsNoText(codec: Codec, value: (json: String, text: String)) {
        let expected = "shapes[0].type: expected a string, found \(value.text); known are \(Self.known)"
        let json = #"{"shapes":[{"type":\#(value.json)}]}"#
        #expect(message { try codec.decode([String: PolymorphicArray<ShapeKind>].self, json: json) } == expected)
    }

    @Test("names the place of what is wrong with the document itself")
    func root() {
        let missing = message { try Codec.json.decode(Polymorphic<ShapeKind>.self, json: "{}") }
        #expect(missing == "type: missing; known are \(Self.known)")
        let stray = message {
            try Codec.json.decode(Polymorphic<ShapeKind>.self, json: #"{"type":"stray","name":"x"}"#)
        }
        #expect(stray == "root: the type of kind \"stray\", Animal, is not Shape")
    }

    @Test("what the kind itself refuses keeps its place", arguments: Codec.allCases)
    func kindsOwnError(codec: Codec) throws {
        let error = #expect(throws: DecodingError.self) {
            try codec.decode(PolymorphicArray<ShapeKind>.self, json: #"[{"type":"point"},{"type":"circle"}]"#)
        }
        guard case .keyNotFound(let key, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(key.stringValue == "radius")
        #expect(context.codingPath.map(\.intValue) == [1])
        #expect(error.flatMap { PolymorphicDecodingError(in: $0) } == nil)
    }

    @Test("a value that is no object is the decoder's error", arguments: Codec.allCases)
    func noObject(codec: Codec) {
        #expect(throws: DecodingError.self) { try codec.decode([Polymorphic<ShapeKind>].self, json: "[7]") }
        #expect(throws: DecodingError.self) { try codec.decode(PolymorphicArray<ShapeKind>.self, json: "{}") }
    }

    private func message(_ body: () throws -> Any) -> String? {
        do {
            return "decoded \(try body())"
        } catch {
            return PolymorphicDecodingError(in: error)?.description ?? "\(error)"
        }
    }
}
