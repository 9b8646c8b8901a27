import PolymorphicCodable
import Testing

@Suite struct PolymorphicEncodingErrorTests {
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

    @Test("what could not be read back is not written", arguments: Codec.allCases, wrong)
    func refused(codec: Codec, wrong: (tool: any Tool, message: String)) {
        let error = #expect(throws: (any Error).self) {
            try codec.encode(["a": Polymorphic<ToolKind>(wrong.tool)])
        }
        #expect(error.flatMap { PolymorphicEncodingError(in: $0) }?.description == wrong.message)
    }

    @Test("a subclass that the family does not list is not written as its superclass")
    func subclass() {
        final class Puppy: Pet {}
        let error = #expect(throws: PolymorphicEncodingError.self) {
            try Codec.json.encode(PolymorphicArray<AnimalKind>([Puppy(name: "P", owner: "O")]))
        }
        #expect(
            error?.description
                == #"[0].kind: Puppy is of no kind and writes none; known are "animal", "pet", "cat", "dog""#)
    }

    @Test("a value that cannot be encoded at all is named")
    func notEncodable() {
        struct Deaf: Decodable {}
        enum DeafKind: String, PolymorphicFamily {
            case deaf
            typealias Base = Deaf
            var type: any Decodable.Type { Deaf.self }
        }
        let error = #expect(throws: PolymorphicEncodingError.self) {
            try Codec.json.encode([Polymorphic<DeafKind>(Deaf())])
        }
        #expect(error?.description == "[0]: Deaf is not Encodable")
    }
}
