import JSON
import Testing

@Suite struct JSONNumberTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("100", 100), ("1e2", 100), ("100.0", 100), ("1.5e1", 15), ("-7", -7), ("0e999999", 0),
        ("9223372036854775807", Int.max), ("9007199254740993", 9_007_199_254_740_993), ("1200e-2", 12),
    ])
    func integersAreReadExactly(literal: String, integer: Int) {
        #expect(JSONNumber(literal: literal)?.integer == integer)
    }

    @Test(arguments: [
        "0.5", "1e-1", "9223372036854775808", "1e400", "-1e999999999999", "1e99999999999999999999",
        "1e9223372036854775807", "12e9223372036854775806", "1e-9223372036854775808",
    ])
    func whatIsNoIntegerIsNotReadAsOne(literal: String) {
        #expect(JSONNumber(literal: literal) != nil)
        #expect(JSONNumber(literal: literal)?.integer == nil)
    }

    @Test(arguments: ["", "a", "1 ", " 1", "1.", ".1", "+1", "01", "1e", "0x1", "NaN", "1_0", "--1", "1.0.0"])
    func textsThatAreNoNumberMakeNone(text: String) {
        #expect(JSONNumber(literal: text) == nil)
    }

    @Test(
        arguments: [
            ("19.90", false, "199", -1), ("-0.001", true, "1", -3), ("1200", false, "12", 2), ("0.00", false, "", 0),
            ("1.50e3", false, "15", 2), ("000", false, nil, 0),
        ] as [(String, Bool, String?, Int)])
    func decimalPartsHaveNoIdleZeros(literal: String, isNegative: Bool, digits: String?, exponent: Int) {
        let parts = JSONNumber(literal: literal)?.decimalParts
        #expect(parts?.digits == digits)
        guard digits != nil else { return }
        #expect(parts?.isNegative == isNegative)
        #expect(parts?.exponent == exponent)
    }

    @Test(arguments: [
        ("19.90", "19.9"), ("1e2", "100"), ("-1.50E-3", "-0.0015"), ("0.00", "0"), ("-0", "0"), ("120", "120"),
        ("12.5", "12.5"), ("1e-2", "0.01"), ("10.01", "10.01"),
    ])
    func plainNotationHasNoExponentAndNoIdleZeros(literal: String, plain: String) throws {
        let parts = try #require(JSONNumber(literal: literal)?.decimalParts)
        #expect(JSONNumber(plain: parts).literal == plain)
    }

    @Test func doublesAreWrittenSoThatTheyReadBackTheSame() {
        for double in [0.1, 1e300, Double.leastNonzeroMagnitude, -2.5, 1e21, 123456.789] {
            #expect(JSONNumber(double)?.double == double)
        }
        #expect(JSONNumber(.infinity) == nil)
        #expect(JSONNumber(.nan) == nil)
        #expect(JSONNumber(literal: "1e999")?.double == nil)
    }
}
