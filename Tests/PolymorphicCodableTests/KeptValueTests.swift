import PolymorphicCodable
import Testing

struct KeptValueTests {
    private static let values: [KeptValue] = [
        .null, .bool(true), .bool(false), .integer(0), .integer(1), .integer(.min), .integer(.max),
        .integer(9_007_199_254_740_993), .unsigned(.max), .unsigned(UInt64(Int64.max) + 1), .double(0.1),
        .double(-2.5), .double(1e300), .double(.leastNonzeroMagnitude), .string(""), .string("a"),
        .string("true"), .string("null"), .string("~"), .string("1"), .string("0.5"), .string("1e5"), .string("a: b"),
        .string("- c"), .string("\"q\" 'r'"), .string("two\nlines"), .string(" x "), .string("é😀"),
        .string("2020-01-01"), .array([]), .array([.null, .array([.null]), .integer(1), .null]), .object([:]),
        .object(["a": .null, "b": .object(["a": .array([])]), "1": .bool(true), "é😀": .string("")]),
    ]

    @Test(arguments: Codec.allCases, values)
    func `is read as it was written, of its own form`(codec: Codec, value: KeptValue) throws {
        #expect(try codec.decode([KeptValue].self, from: codec.encode([value, .null])) == [value, .null])
        #expect(try codec.decode(KeptObject.self, from: codec.encode(["a": value])) == ["a": value])
    }

    @Test(arguments: [Codec.json, .orderedJSON, .propertyList])
    func `a binary fraction keeps its last digit, where the format's encoder writes it`(codec: Codec) throws {
        let value = KeptValue.double(0.1 + 0.2)
        #expect(try codec.decode([KeptValue].self, from: codec.encode([value])) == [value])
    }

    @Test(arguments: [Codec.json, .orderedJSON])
    func `what it has no form for is refused, not rounded`(codec: Codec) throws {
        #expect(throws: DecodingError.self) { try codec.decode([KeptValue].self, from: Array("[1e400]".utf8)) }
    }

    @Test func `objects are equal whatever their order, and keep the first of two members of one name`() {
        let one: KeptObject = ["a": .integer(1), "b": .null, "a": .integer(2)]
        let other: KeptObject = ["b": .null, "a": .integer(1)]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one.names == ["a", "b"])
        #expect(one["a"] == .integer(1))
        #expect(one["c"] == nil)
    }
}
