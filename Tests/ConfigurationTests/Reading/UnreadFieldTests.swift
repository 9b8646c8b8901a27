import Configuration
import Testing

/// What stands in the config is checked even where no code asks for it.
struct UnreadFieldTests {
    @Test(
        "a field that nobody reads is checked by its declared type",
        arguments: [
            ("5 sec", FieldType.duration), ("yes", .boolean), ("{}", .string), ("x", .integer), ("x", .number),
            ("1kb", .size), ("2", .ratio), ("host", .address), ("host", .url), ("[]", .secret), ("''", .path),
            ("c", .choice(Letter.self)), ("x", .list(.string)), ("x", .map(.string)), ("x", .object([])),
            ("{ y: 1 }", .object([])), ("{ n: x }", .object([.optional("n", .integer, "N.")])),
        ])
    func aFieldThatNobodyReads(_ text: String, _ type: FieldType) throws {
        #expect(try Probe("x: \(text)", [.optional("x", type, "X.")]).problems.count == 1)
    }

    @Test("good values pass", arguments: [("5s", FieldType.duration), ("a", .choice(Letter.self)), ("[x]", .any)])
    func goodValuesPass(_ text: String, _ type: FieldType) throws {
        #expect(try Probe("x: \(text)", [.optional("x", type, "X.")]).problems == [])
    }

    @Test("asking whether a field is there does not read it")
    func askingWhetherAFieldIsThere() throws {
        let probe = try Probe("x: soon", [.optional("x", .duration, "X.")])
        #expect(probe.reader.has("x"))
        #expect(probe.problems.count == 1)
    }

    @Test("components that nobody reads are checked, and what they refer to is used")
    func componentsThatNobodyReads() throws {
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
