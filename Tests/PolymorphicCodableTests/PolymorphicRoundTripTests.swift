import PolymorphicCodable
import Testing

@Suite struct PolymorphicRoundTripTests {
    private static let keep = UnknownKinds(.keep)

    @Test("generated shapes survive writing and reading", arguments: Codec.allCases, 0..<30)
    func shapesSurvive(codec: Codec, seed: UInt64) throws {
        var generator = ShapeGenerator(seed: seed)
        for _ in 0..<4 {
            let shapes = generator.shapes(depth: 3)
            let bytes = try codec.encode(PolymorphicArray<ShapeKind>(shapes))
            let read = try codec.decode(PolymorphicArray<ShapeKind>.self, from: bytes, unknown: Self.keep)
            #expect(read.values.map { AnyHashable($0) } == shapes.map { AnyHashable($0) })
        }
    }

    @Test("generated animals survive writing and reading", arguments: Codec.allCases, 0..<30)
    func animalsSurvive(codec: Codec, seed: UInt64) throws {
        var generator = ShapeGenerator(seed: seed)
        for _ in 0..<4 {
            let animals = ["a": generator.animal(depth: 4), "b": generator.animal(depth: 2)]
            let bytes = try codec.encode(PolymorphicDictionary<AnimalKind>(animals))
            let read = try codec.decode(PolymorphicDictionary<AnimalKind>.self, from: bytes, unknown: Self.keep)
            #expect(read.values == animals)
        }
    }

    @Test("what was read in order is written in order, byte for byte", arguments: 0..<30)
    func bytesSurvive(seed: UInt64) throws {
        var generator = ShapeGenerator(seed: seed)
        let codec = Codec.orderedJSON
        let shapes = (0..<20).map { _ in generator.shape(depth: 0) }
        let bytes = try codec.encode(PolymorphicArray<ShapeKind>(shapes))
        let read = try codec.decode([Polymorphic<ShapeKind>].self, from: bytes, unknown: Self.keep)
        #expect(try codec.encode(read) == bytes)
    }

    @Test("unknown kinds survive in values of known ones, at any depth", arguments: Codec.allCases)
    func keptInKept(codec: Codec) throws {
        let json = #"""
            [{"type":"group","shapes":[{"type":"group","shapes":[{"type":"new","n":9223372036854775808,"x":[null,
            {"type":7}]}],"owner":{"kind":"emu","name":"E","tail":{"feathers":true}}}]}]
            """#
        let read = try codec.decode(PolymorphicArray<ShapeKind>.self, json: json, unknown: Self.keep)
        let inner = try #require((read.values.first as? Group)?.shapes.first as? Group)
        let object: KeptObject = ["type": .integer(7)]
        #expect(
            inner.shapes.first as? KeptObject == [
                "type": .string("new"), "n": .unsigned(9_223_372_036_854_775_808),
                "x": .array([.null, .object(object)]),
            ])
        #expect((inner.owner as? UnknownAnimal)?.content["tail"] == .object(["feathers": .bool(true)]))
        #expect((inner.owner as? UnknownAnimal)?.name == "E")
    }
}
