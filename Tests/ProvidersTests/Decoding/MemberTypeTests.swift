internal import JSON
internal import Testing

@testable internal import Decoding

struct MemberTypeTests {
    /// What a value becomes, as JSON; `-` when it says nothing, and the problem when it cannot be.
    private func coerced(_ text: String, _ type: MemberType, _ scale: Int? = nil) throws -> String {
        let value = try JSONParser().parse(Array(text.utf8))
        do {
            return try type.coerced(value, scale: scale).map { "\($0)" } ?? "-"
        } catch {
            return error.problem
        }
    }

    @Test(
        arguments: [
            ("7", .identifier, #""7""#), (#""a b""#, .identifier, #""a b""#), ("1.50", .identifier, #""1.50""#),
            (#""""#, .identifier, "expected a non-empty string or a number, found string \"\""),
            ("true", .identifier, "expected a non-empty string or a number, found boolean true"),
            (#""Mug""#, .text, #""Mug""#), ("1984", .text, #""1984""#), (#""""#, .text, #""""#), ("null", .text, "-"),
            ("false", .text, "expected a string, found boolean false"),
            ("12", .integer, "12"), ("12.0", .integer, "12"), ("1e2", .integer, "100"), (#""12""#, .integer, "12"),
            (#""12.00""#, .integer, "12"), (#""""#, .integer, "-"), ("null", .integer, "-"),
            ("12.5", .integer, "expected a whole number, found number 12.5"),
            ("true", .integer, "expected a number, found boolean true"),
            ("19.90", .decimal, "19.90"), (#""19.90""#, .decimal, "19.90"), (#""-0.1""#, .decimal, "-0.1"),
            (#""""#, .decimal, "-"), (#""1,5""#, .decimal, "expected a number, found string \"1,5\""),
            (#"" 1""#, .decimal, "expected a number, found string \" 1\""),
            (#"[5,"10.50",1e2]"#, .decimals, "[5,10.50,1e2]"), ("[]", .decimals, "[]"),
            ("5", .decimals, "expected an array of numbers, found number 5"),
            (#"[5,""]"#, .decimals, "expected a number, found string \"\""),
            (#"{"a":[null]}"#, .other, #"{"a":[null]}"#), ("null", .other, "-"),
        ] as [(String, MemberType, String)])
    func `numbers in texts become numbers, numbers become texts, and nothing loses a digit`(
        text: String, type: MemberType, result: String
    ) throws {
        #expect(try coerced(text, type) == result)
    }

    @Test(
        arguments: [
            ("1999", .decimal, 2, "19.99"), ("1990", .decimal, 2, "19.9"), ("1900", .decimal, 2, "19"),
            ("5", .decimal, 2, "0.05"), ("0", .decimal, 2, "0"), ("-1", .decimal, 3, "-0.001"),
            (#""1999""#, .decimal, 2, "19.99"), ("1999", .decimal, 0, "1999"), ("4250.0", .decimal, 2, "42.5"),
            ("42.5", .decimal, 2, "expected a whole number of minor units, found number 42.5"),
            (#""42.5""#, .decimal, 0, "expected a whole number of minor units, found string \"42.5\""),
            ("1.5e3", .decimal, 2, "15"),
            ("123456789012345678901234567890", .decimal, 18, "123456789012.34567890123456789"),
            (#""""#, .decimal, 2, "-"), ("null", .decimal, 2, "-"),
            ("1e9999", .decimal, 2, "expected a number of sensible size, found number 1e9999"),
            (
                "1e-9223372036854775808", .decimal, 2,
                "expected a number of sensible size, found number 1e-9223372036854775808"
            ),
            ("[500,1050]", .decimals, 2, "[5,10.5]"), ("2500", .other, 2, "25"), ("1200", .integer, 2, "12"),
            ("1250", .integer, 2, "expected a whole number, found number 1250"),
            ("[500,10.5]", .decimals, 2, "expected a whole number of minor units, found number 10.5"),
            (#""x""#, .other, 2, "expected a number, found string \"x\""),
        ] as [(String, MemberType, Int, String)])
    func `an amount in minor units is moved behind the point to the digit`(
        text: String, type: MemberType, scale: Int, result: String
    ) throws {
        #expect(try coerced(text, type, scale) == result)
    }
}
