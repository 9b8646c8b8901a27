import Configuration
import Testing

struct ScalarKindTests {
    @Test(arguments: [
        (FieldType.integer, ["1.5", "1e3", "0x10", "1_000", "", "99999999999999999999"]),
        (.boolean, ["yes", "True", "1", "on", ""]),
        (.duration, ["5", "soon"]),
        (.url, ["example.com"]),
        (.address, ["8080"]),
    ])
    func `what is not of a kind is refused`(_ type: FieldType, _ texts: [String]) throws {
        for text in texts {
            let probe = try Probe("x: \"\(text)\"", [.optional("x", type, "X.")])
            probe.read("x", type)
            #expect(probe.problems.count == 1, "\(text)")
        }
    }

    @Test(arguments: ["nan", "inf", "0x1p3", "1e999", "", "1,5"])
    func `ratios are decimal and finite`(_ text: String) throws {
        let probe = try Probe("x: \"\(text)\"", [.required("x", .ratio, "X.")])
        _ = probe.reader.ratio("x")
        #expect(
            probe.problems == ["c.yaml:1:4: error: \"x\": bad ratio \"\(text)\"; write a number from 0 to 1"])
    }
}

/// A field is checked even where no code reads it.
struct UnreadFieldTests {
    @Test(arguments: [
        ("5 sec", FieldType.duration), ("yes", .boolean), ("{}", .string), ("x", .integer),
        ("1kb", .size), ("2", .ratio), ("host", .address), ("host", .url), ("[]", .secret), ("''", .path),
        ("c", .choice(Letter.self)), ("x", .list(.string)), ("x", .map(.string)), ("x", .object([])),
        ("{ y: 1 }", .object([])), ("{ n: x }", .object([.optional("n", .integer, "N.")])),
    ])
    func `a field that nobody reads is checked by its declared type`(_ text: String, _ type: FieldType) throws {
        #expect(try Probe("x: \(text)", [.optional("x", type, "X.")]).problems.count == 1)
    }

    @Test(arguments: [("5s", FieldType.duration), ("a", .choice(Letter.self)), ("[x]", .any)])
    func `good values pass`(_ text: String, _ type: FieldType) throws {
        #expect(try Probe("x: \(text)", [.optional("x", type, "X.")]).problems == [])
    }

    @Test func `asking whether a field is there does not read it`() throws {
        let probe = try Probe("x: soon", [.optional("x", .duration, "X.")])
        #expect(probe.reader.has("x"))
        #expect(probe.problems.count == 1)
    }

    @Test func `components that nobody reads are checked, and what they refer to is used`() throws {
        let yaml = """
            one: { type: mix, inputs: [a] }
            many: [b, { type: mxi }]
            named: { x: c, y: nobody }
            sources: { a: { type: mix, inputs: [] }, b: a, c: a }
            """
        let document = try ConfigDocument.parse(yaml, file: "c.yaml", environment: [:])
        let check = ConfigurationCheck(
            document: document, registry: WaterWorks.registry,
            sections: [
                .optional("one", .component(SourceFamily.self), "One."),
                .optional("many", .components(SourceFamily.self), "Many."),
                .optional("named", .componentMap(SourceFamily.self), "Named."),
            ])
        let error = #expect(throws: ConfigurationError.self) { try check.finish() }
        #expect(
            error?.diagnostics.map(\.description) == [
                "c.yaml:2:19: error: unknown source type \"mxi\"; did you mean \"mix\"?",
                "c.yaml:3:19: error: no source is labelled \"nobody\"",
            ])
    }
}
