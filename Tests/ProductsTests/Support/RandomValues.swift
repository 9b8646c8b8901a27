import JSON
import TestSupport

/// JSON values of every sort, with a liking for those that are easily lost on the way.
struct RandomValues {
    var random: SeededGenerator

    private static let strings = [
        "", "Mug", "Krug №7", "😀👩‍👩‍👧‍👦", "كوب شاي", "ספל \u{202B}x\u{202C}", "e\u{301} is not \u{E9}",
        "\"\\/\u{8}\n\u{0}\u{1F}",
        "\u{2028}", "\u{10FFFF}", "type", "null",
    ]
    private static let numbers = [
        "0", "-0", "-0.0", "1.0", "1.50", "9007199254740993", "-9223372036854775809", "18446744073709551616", "1e400",
        "1E-400", "0.1", "0.30000000000000004", "123456789012345678901234567890.123456789012345678901234567890",
    ]

    mutating func string() -> String {
        random.pick(Self.strings) + (random.chance(30) ? random.pick(Self.strings) : "")
    }

    mutating func number() -> JSONNumber {
        let integer = JSONNumber(Int.random(in: -1000...1000, using: &random))
        return random.chance(50) ? integer : JSONNumber(literal: random.pick(Self.numbers)) ?? integer
    }

    mutating func value(depth: Int = 3) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0: return .null
        case 1: return .bool(random.chance(50))
        case 2: return .number(number())
        case 3: return .string(string())
        case 4: return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1) })
        default:
            let names = (0..<Int.random(in: 0...4, using: &random)).map { "\(string())\($0)" }
            return .object(JSONObject(names.map { ($0, value(depth: depth - 1)) }))
        }
    }

    /// A decimal that can be kept to the digit, in one of the notations that sources use.
    mutating func decimal() -> JSONValue {
        let whole = Int.random(in: 0...100_000, using: &random)
        let cents = Int.random(in: 0..<100, using: &random)
        let sign = random.chance(5) ? "-" : ""
        let plain = "\(sign)\(whole).\(cents / 10)\(cents % 10)"
        let literal = random.pick([plain, "\(plain)0", "\(sign)\(whole)", "\(sign)\(whole)e2", "\(plain)E-3"])
        guard !random.chance(30), let number = JSONNumber(literal: literal) else { return .string(literal) }
        return .number(number)
    }

    /// A whole number, in one of the notations that sources use.
    mutating func integer() -> JSONValue {
        let integer = Int.random(in: 0...5000, using: &random)
        return .number(JSONNumber(literal: random.pick(["\(integer)", "\(integer).0", "\(integer)e1"])) ?? 0)
    }
}
