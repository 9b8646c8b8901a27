import PolymorphicCodable
import TestSupport
import Testing

struct PolymorphicRoundTripTests {
    private static let keep = UnknownKinds(.keep)

    @Test(arguments: Codec.allCases, 0..<30)
    func `generated shapes survive writing and reading`(codec: Codec, seed: UInt64) throws {
        var generator = ShapeGenerator(seed: seed)
        for _ in 0..<4 {
            let shapes = generator.shapes(depth: 3)
            let bytes = try codec.encode(Polymorphic<[ShapeKind]>(wrappedValue: shapes))
            let read = try codec.decode(Polymorphic<[ShapeKind]>.self, from: bytes, unknown: Self.keep)
            #expect(read.wrappedValue.map { AnyHashable($0) } == shapes.map { AnyHashable($0) })
        }
    }

    @Test(arguments: Codec.allCases, 0..<30)
    func `generated animals survive writing and reading`(codec: Codec, seed: UInt64) throws {
        var generator = ShapeGenerator(seed: seed)
        for _ in 0..<4 {
            let animals = ["a": generator.animal(depth: 4), "b": generator.animal(depth: 2)]
            let bytes = try codec.encode(Polymorphic<[String: AnimalKind]>(wrappedValue: animals))
            let read = try codec.decode(Polymorphic<[String: AnimalKind]>.self, from: bytes, unknown: Self.keep)
            #expect(read.wrappedValue == animals)
        }
    }

    @Test(arguments: 0..<30)
    func `what was read in order is written in order, byte for byte`(seed: UInt64) throws {
        var generator = ShapeGenerator(seed: seed)
        let codec = Codec.orderedJSON
        let shapes = (0..<20).map { _ in generator.shape(depth: 0) }
        let bytes = try codec.encode(Polymorphic<[ShapeKind]>(wrappedValue: shapes))
        let read = try codec.decode([Polymorphic<ShapeKind>].self, from: bytes, unknown: Self.keep)
        #expect(try codec.encode(read) == bytes)
    }

    @Test(arguments: Codec.allCases)
    func `unknown kinds survive in values of known ones, at any depth`(codec: Codec) throws {
        let json = #"""
            [{"type":"group","shapes":[{"type":"group","shapes":[{"type":"new","n":9223372036854775808,"x":[null,
            {"type":7}]}],"owner":{"kind":"emu","name":"E","tail":{"feathers":true}}}]}]
            """#
        let read = try codec.decode(Polymorphic<[ShapeKind]>.self, json: json, unknown: Self.keep)
        let inner = try #require((read.wrappedValue.first as? Group)?.shapes.first as? Group)
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

/// Shapes and animals of every kind, known and unknown, nested in each other; the same ones for the same seed.
struct ShapeGenerator {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func shapes(depth: Int) -> [any Shape] {
        (0..<count()).map { _ in shape(depth: depth) }
    }

    mutating func shape(depth: Int) -> any Shape {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: Circle(radius: Int.random(in: -9...9, using: &random))
        case 1: Square(side: Double(count()) + 0.25)
        case 2: Point()
        case 3: Label(Bool.random(using: &random) ? text() : nil)
        case 4: Newtype(Square(side: 1.5))
        case 5: kept(discriminator: "type")
        default: group(depth: depth - 1)
        }
    }

    mutating func animal(depth: Int) -> Animal {
        let name = text()
        switch Int.random(in: 0..<(depth > 0 ? 5 : 4), using: &random) {
        case 0: return Animal(name: name)
        case 1: return Pet(name: name, owner: text())
        case 2: return Cat(name: name, owner: text(), lives: count())
        case 3: return UnknownAnimal(name: name, content: kept(discriminator: "kind", name: name))
        default:
            return Dog(name: name, owner: text(), friends: (0..<count()).map { _ in animal(depth: depth - 1) })
        }
    }

    private mutating func group(depth: Int) -> Group {
        let shapes = shapes(depth: depth)
        let named = Dictionary((0..<count()).map { _ in (text(), shape(depth: depth)) }) { first, _ in first }
        let background = Bool.random(using: &random) ? shape(depth: depth) : nil
        return Group(shapes, named: named, background: background, owner: animal(depth: depth))
    }

    private mutating func kept(discriminator: String, name: String? = nil) -> KeptObject {
        switch count() {
        case 0: [discriminator: .string("new"), "name": .string(name ?? text())]
        case 1: ["name": .string(name ?? text()), discriminator: .string("odd kind"), "value": value(depth: 3)]
        default: ["a": value(depth: 2), discriminator: .string("é"), "name": .string(name ?? ""), "b": value(depth: 1)]
        }
    }

    private mutating func value(depth: Int) -> KeptValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .integer([0, -1, .min, .max, 9_007_199_254_740_993].randomElement(using: &random) ?? 0)
        case 3: .unsigned([.max, UInt64(Int64.max) + 1].randomElement(using: &random) ?? .max)
        case 4: .double([0.1, -2.5, 1e300, 0.3].randomElement(using: &random) ?? 0.5)
        case 5: .string(text())
        case 6, 7: .array((0..<count()).map { _ in value(depth: depth - 1) })
        default: .object([text() + "1": value(depth: depth - 1), text() + "2": value(depth: depth - 1)])
        }
    }

    private mutating func count() -> Int { Int.random(in: 0...3, using: &random) }

    private mutating func text() -> String {
        let texts = [
            "Tom", "", "true", "null", "12", "0.5", "~", "a: b", "- c", "\"q\"", "é😀", " x ", "two\nlines", "$",
        ]
        return texts.randomElement(using: &random) ?? "Rex"
    }
}
