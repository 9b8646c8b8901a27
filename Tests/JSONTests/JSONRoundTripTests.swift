import JSON
import TestSupport
import Testing

struct JSONRoundTripTests {
    @Test(arguments: 0..<40)
    func `generated values survive writing and reading`(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        for _ in 0..<25 {
            let value = generator.value(depth: 4)
            let bytes = value.encoded()
            #expect(try JSONParser().parse(bytes) == value)
            #expect(try JSONByteEncoder.encode(value) == bytes)
            #expect(try JSONValueDecoder.decode(JSONValue.self, from: value) == value)
        }
    }

    @Test(arguments: 0..<20)
    func `a byte changed anywhere is refused or read, and never traps`(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        let bytes = generator.value(depth: 4).encoded()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] = UInt8.random(in: 0...255, using: &generator.random)
            guard let value = try? JSONParser().parse(damaged) else { continue }
            #expect(try JSONParser().parse(value.encoded()) == value)
        }
    }
}

/// Values of every shape, the same ones for the same seed.
struct JSONGenerator {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .number(number())
        case 3, 4: return .string(string())
        case 5: return .array((0..<count()).map { _ in value(depth: depth - 1) })
        default: return .object(JSONObject((0..<count()).map { (string() + "\($0)", value(depth: depth - 1)) }))
        }
    }

    private mutating func count() -> Int { Int.random(in: 0...5, using: &random) }

    private mutating func number() -> JSONNumber {
        let whole = Int.random(in: -1_000_000...1_000_000, using: &random)
        let texts = ["\(whole)", "\(whole).\(count())0", "\(whole)e\(count())", "\(whole).5E-\(count())", "-0"]
        return JSONNumber(literal: texts.randomElement(using: &random) ?? "0") ?? 0
    }

    private mutating func string() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "Z", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "é", "€", "😀", "\u{301}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            if let scalar = scalars.randomElement(using: &random) { text.append(scalar) }
        }
        return String(text)
    }
}
