import Testing
import Text

@testable import Configuration

struct FieldReaderTests {
    @Test func `every kind of value is read`() throws {
        let probe = try Probe(
            """
            string: 42
            integer: "-7"
            boolean: true
            duration: 1m30s
            size: 16KiB
            ratio: 0.25
            address: "[::1]:80"
            url: https://example.com/x
            path: data/x
            secret: s
            """, Self.kinds)
        let reader = probe.reader
        #expect(reader.optionalString("string") == "42")
        #expect(reader.optionalInteger("integer") == -7)
        #expect(reader.optional("boolean", .boolean) == true)
        #expect(reader.optional("duration", .duration) == .seconds(90))
        #expect(reader.optional("size", .size) == 16_384)
        #expect(reader.optional("ratio", .ratio) == 0.25)
        #expect(reader.optional("address", .address) == NetworkAddress(host: "::1", port: 80))
        #expect(reader.optional("url", .url) == "https://example.com/x")
        #expect(reader.optionalPath("path") == "data/x")
        #expect(reader.optionalSecret("secret")?.reveal() == "s")
        #expect(probe.problems.isEmpty)
        #expect(reader.isSound)
    }

    @Test func `absent fields are nil, and are not there`() throws {
        let probe = try Probe("string: x", Self.kinds)
        #expect(probe.reader.has("string"))
        #expect(!probe.reader.has("integer"))
        #expect(probe.reader.optionalInteger("integer") == nil)
        #expect(probe.reader.optionalSecret("secret")?.reveal() == nil)
        #expect(probe.problems.isEmpty)
    }

    @Test func `defaults are read as if they stood in the file`() throws {
        let probe = try Probe(
            "x: 1",
            [
                .required("x", .integer, "X."), .defaulted("ttl", .duration, "30s", "T."),
                .defaulted("mode", .choice(Mode.self), "background", "M."), .defaulted("prefix", .string, "", "P."),
                .defaulted("tags", .list(.string), "[a, b]", "L."), .defaulted("map", .map(.string), "{k: v}", "M."),
                .defaulted("limits", .object([.defaulted("n", .integer, "5", "N.")]), "{ n: 6 }", "O."),
                .optional("plain", .object([.defaulted("n", .integer, "5", "N.")]), "O."),
            ])
        let reader = probe.reader
        #expect(reader.integer("x", in: 1...) == 1)
        #expect(reader.duration("ttl") == .seconds(30))
        #expect(reader.choice("mode", Mode.self) == .background)
        #expect(reader.string("prefix") == "")
        #expect(reader.strings("tags") == ["a", "b"])
        #expect(reader.stringMap("map").map { "\($0.key)=\($0.value)" } == ["k=v"])
        #expect(reader.object("limits").integer("n") == 6)
        #expect(reader.object("plain").integer("n") == 5)
        let none = reader.optionalObject("plain")
        #expect(none == nil)
        #expect(probe.problems.isEmpty)
    }

    @Test func `after a problem the default takes over, or a value within the range`() throws {
        let probe = try Probe(
            "ttl: soon\nn: 0\nm: x",
            [
                .defaulted("ttl", .duration, "30s", "T."), .required("n", .integer, "N."),
                .required("m", .integer, "M."), .required("missing", .integer, "M."),
            ])
        #expect(probe.reader.duration("ttl") == .seconds(30))
        #expect(probe.reader.integer("n", in: 4...8) == 4)
        #expect((1...9).contains(probe.reader.integer("m", in: 1...9)))
        #expect((1...9).contains(probe.reader.integer("missing", in: 1...9)))
        #expect(probe.problems.count == 4)
        #expect(!probe.reader.isSound)
    }

    @Test(arguments: [
        ("5", 1...4, "from 1 to 4"), ("0", 1...4, "from 1 to 4"),
    ])
    func `each kind of range says what it allows`(_ text: String, _ range: ClosedRange<Int>, _ words: String) throws {
        let closed = try Probe("n: \(text)", [.required("n", .integer, "N.")])
        _ = closed.reader.integer("n", in: range)
        #expect(closed.problems == ["c.yaml:1:4: error: \"n\": \"\(text)\" is out of range; it must be \(words)"])
        let open = try Probe("n: \(text)", [.required("n", .integer, "N.")])
        _ = open.reader.optionalInteger("n", in: 1...)
        let problem = "c.yaml:1:4: error: \"n\": \"0\" is out of range; it must be at least 1"
        #expect(open.problems == (text == "5" ? [] : [problem]))
    }

    @Test func `a field may be a text or a mapping`() throws {
        let fields: [FieldSpec] = [.optional("tls", .any, "Off, or a certificate.")]
        let text = try Probe("tls: off", fields)
        #expect(text.reader.node("tls")?.text == "off")
        let mapping = try Probe("tls: { certificate: /c, kye: /k }", fields)
        let node = try #require(mapping.reader.node("tls"))
        let inner: [FieldSpec] = [.required("certificate", .path, "C."), .required("key", .path, "K.")]
        let reader = mapping.reader.reader(for: node, fields: inner, what: "tls")
        #expect(reader.path("certificate") == "/c")
        #expect(reader.path == "tls")
        #expect(
            mapping.problems == [
                "c.yaml:1:6: error: missing \"key\" in \"tls\"",
                "c.yaml:1:25: error: unknown key \"kye\" in \"tls\"; did you mean \"key\"?",
            ])
    }

    @Test func `a field may be off or a mapping`() throws {
        let fields: [FieldSpec] = [.defaulted("m", .unlessOff([.required("n", .integer, "N.")]), "off", "M.")]
        for text in ["x: 1", "m: off", "m: \"off\""] {
            let probe = try Probe(text, fields)
            #expect(probe.reader.objectUnlessOff("m") == nil)
        }
        #expect(try Probe("m: { n: 7 }", fields).reader.objectUnlessOff("m")?.integer("n") == 7)
        for (text, found) in [("m: 7", "\"7\""), ("m: []", "list"), ("m:", "nothing")] {
            let probe = try Probe(text, fields)
            #expect(probe.reader.objectUnlessOff("m") == nil)
            #expect(probe.problems.count == 1)
            #expect(probe.problems.first?.hasSuffix("error: \"m\": expected off or mapping, found \(found)") == true)
        }
    }

    @Test func `the text of a file is read, and why it cannot be is told`() throws {
        let fields: [FieldSpec] = [.optional("f", .path, "F.")]
        try TemporaryFile.with(Array("some text\n".utf8)) { path in
            let probe = try Probe("f: \"\(path)\"", fields)
            #expect(probe.reader.textOfFile("f") == "some text\n")
        }
        let absent = try Probe("{}", fields)
        #expect(absent.reader.textOfFile("f") == nil)
        let probe = try Probe("f: /no/such/file", fields)
        #expect(probe.reader.textOfFile("f") == nil)
        #expect(!probe.reader.isSound)
        #expect(probe.problems == ["c.yaml:1:4: error: \"f\": cannot read \"/no/such/file\": no such file"])
    }

    @Test func `components report what only they can see, but nothing about what they could not read`() throws {
        let probe = try Probe("a: x\nb: 2", [.required("a", .integer, "A."), .required("b", .integer, "B.")])
        _ = probe.reader.integer("a")
        probe.reader.report(.error, at: "a", "never said")
        probe.reader.report(.warning, at: "b", "two is few", suggestion: "3")
        probe.reader.report(.warning, at: nil, "said of the whole")
        #expect(
            probe.problems == [
                "c.yaml:1:1: warning: said of the whole",
                "c.yaml:1:4: error: \"a\": expected integer, found \"x\"",
                "c.yaml:2:4: warning: two is few; did you mean \"3\"?",
            ])
    }

    @Test func `the entries of a mapping of anything keep their order and places, and broken ones are told once`()
        throws
    {
        let fields: [FieldSpec] = [.optional("m", .map(.any), "M."), .optional("n", .map(.any), "N.")]
        let probe = try Probe("m: { b: x, a: { c: 1 }, d: !odd y }\nn: 7", fields)
        let entries = probe.reader.entries("m")
        #expect(entries.map(\.key) == ["b", "a"])
        #expect(entries.map { "\($0.keyPosition)" } == ["c.yaml:1:6", "c.yaml:1:12"])
        #expect(entries.map(\.value.found) == ["\"x\"", "mapping"])
        #expect(probe.reader.entries("n").isEmpty)
        #expect(
            probe.problems == [
                "c.yaml:1:28: error: unknown YAML tag \"!odd\"",
                "c.yaml:2:4: error: \"n\": expected mapping of anything, found \"7\"",
            ])
    }

    static let kinds: [FieldSpec] = [
        .optional("string", .string, ""), .optional("integer", .integer, ""), .optional("boolean", .boolean, ""),
        .optional("duration", .duration, ""), .optional("size", .size, ""), .optional("ratio", .ratio, ""),
        .optional("address", .address, ""), .optional("url", .url, ""), .optional("path", .path, ""),
        .optional("secret", .secret, ""),
    ]
}
