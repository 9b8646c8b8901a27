import JSON
import PolymorphicCodable
import Testing

@Suite struct PolymorphicTests {
    private struct Drawing: Decodable {
        var shape: any Shape
        var optional: (any Shape)?
        var shapes: [any Shape]
        var optionals: [any Shape]?

        private enum CodingKeys: String, CodingKey {
            case shape, optional, shapes, optionals
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            shape = try container.decodePolymorphic(ShapeKind.self, forKey: .shape)
            optional = try container.decodePolymorphicIfPresent(ShapeKind.self, forKey: .optional)
            shapes = try container.decodePolymorphic([ShapeKind].self, forKey: .shapes)
            optionals = try container.decodePolymorphicIfPresent([ShapeKind].self, forKey: .optionals)
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONValueDecoder.decode(type, from: JSONParser().parse(Array(text.utf8)))
    }

    private func message(_ text: String) -> String? {
        let error = #expect(throws: PolymorphicDecodingError.self) { try decode([Polymorphic<ShapeKind>].self, text) }
        return error?.description
    }

    @Test func structsBehindAProtocolAreDecodedByTheirType() throws {
        let drawing = try decode(
            Drawing.self,
            #"{"shape":{"type":"circle","radius":1},"optional":null,"#
                + #""shapes":[{"type":"square","side":2},{"radius":3,"type":"circle"}]}"#
        )
        #expect(drawing.shape as? Circle == Circle(radius: 1))
        #expect(drawing.optional == nil)
        #expect(drawing.shapes.map { "\($0)" } == ["\(Square(side: 2))", "\(Circle(radius: 3))"])
        #expect(drawing.optionals == nil)
        let full = try decode(
            Drawing.self,
            #"{"shape":{"type":"circle","radius":1},"shapes":[],"optional":{"type":"square","side":4},"optionals":[]}"#)
        #expect(full.optional as? Square == Square(side: 4))
        #expect(full.optionals?.isEmpty == true)
    }

    @Test func classesAreDecodedByTheDiscriminatorTheirFamilyNames() throws {
        let animals = try decode(
            [Polymorphic<AnimalKind>].self, #"[{"kind":"cat","name":"Tom","lives":9},{"kind":"animal","name":"Rex"}]"#)
        #expect(animals.map(\.value.name) == ["Tom", "Rex"])
        #expect((animals.first?.value as? Cat)?.lives == 9)
    }

    @Test("says where a discriminator is wrong, what was found and what is known")
    func saysWhatIsWrong() {
        #expect(
            message(#"[{"type":"circle","radius":1},{"radius":1}]"#)
                == #"[1].type: missing; known are "circle", "square", "stray""#)
        #expect(message(#"[{"type":null}]"#) == #"[0].type: missing; known are "circle", "square", "stray""#)
        #expect(
            message(#"[{"type":"hexagon"}]"#)
                == #"[0].type: unknown kind "hexagon"; known are "circle", "square", "stray""#)
        #expect(message(#"[{"type":7}]"#) == #"[0].type: expected a string; known are "circle", "square", "stray""#)
        #expect(message(#"[{"type":"stray","name":"x"}]"#) == #"[0]: the type of kind "stray", Animal, is not Shape"#)
    }

    @Test func whatTheKindItselfRefusesKeepsItsPlace() {
        let error = #expect(throws: DecodingError.self) {
            try decode([Polymorphic<ShapeKind>].self, #"[{"type":"circle"}]"#)
        }
        #expect(error?.jsonSummary == "[0].radius: missing")
    }

    @Test func valuesThatWriteTheirTypeNeedNothingToBeEncoded() throws {
        let text = #"[{"type":"square","side":2},{"type":"circle","radius":1}]"#
        let shapes = try decode([Polymorphic<ShapeKind>].self, text).map(\.value)
        let encoded = try shapes.map { String(decoding: try JSONByteEncoder.encode($0), as: UTF8.self) }
        #expect("[\(encoded.joined(separator: ","))]" == text)
    }
}
