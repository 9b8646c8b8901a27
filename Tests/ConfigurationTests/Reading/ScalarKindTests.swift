import Configuration
import Testing

struct ScalarKindTests {
    @Test(
        "what is not of a kind is refused",
        arguments: [
            (FieldType.integer, ["1.5", "1e3", "0x10", "1_000", "", "99999999999999999999"]),
            (.boolean, ["yes", "True", "1", "on", ""]),
            (.duration, ["5", "soon"]),
            (.url, ["example.com"]),
            (.address, ["8080"]),
        ])
    func whatIsNotOfAKindIsRefused(_ type: FieldType, _ texts: [String]) throws {
        for text in texts {
            let probe = try Probe("x: \"\(text)\"", [.optional("x", type, "X.")])
            probe.read("x", type)
            #expect(probe.problems.count == 1, "\(text)")
        }
    }

    @Test("numbers are decimal and finite", arguments: ["nan", "inf", "0x1p3", "1e999", "", "1,5"])
    func numbersAreDecimalAndFinite(_ text: String) throws {
        let probe = try Probe("x: \"\(text)\"", [.required("x", .number, "X.")])
        _ = probe.reader.number("x")
        #expect(probe.problems == ["c.yaml:1:4: error: \"x\": expected number, found \"\(text)\""])
    }
}
