@testable import Configuration
import Testing

struct ConfigDocumentTests {
    private func parse(_ text: String, _ environment: [String: String] = [:]) throws -> ConfigNode {
        let document = try ConfigDocument.parse(text, file: "c.yaml", environment: environment)
        #expect(document.problems.isEmpty)
        return document.root
    }

    @Test func `every key and value knows its line and column`() throws {
        let root = try parse("a: 1\nb:\n  - { c: größe, d: x }\n")
        let inner = try #require(root["b"]?.elements?.first)
        #expect(root["a"]?.position == SourcePosition(file: "c.yaml", line: 1, column: 4))
        #expect(inner.position == SourcePosition(file: "c.yaml", line: 3, column: 5))
        #expect(inner.entries?.last?.keyPosition == SourcePosition(file: "c.yaml", line: 3, column: 17))
        #expect(inner["d"]?.position.description == "c.yaml:3:20")
    }

    @Test(arguments: [
        ("plain", true), ("'quoted'", true), ("''", false), ("~", false), ("[a]", false), ("\"${SET}\"", false),
        ("\"Bearer ${SET}\"", false), ("\"${SET:-default}\"", true), ("\"${SET:-}\"", false),
        ("\"${SET:-${SET}}\"", false), ("$${literal}", true), ("\"Bearer ${SET:-}\"", false),
        ("\"Bearer ${SET:-default}\"", true), ("\"${SET:-}${SET:-default}\"", true),
        ("\"${SET:-${SET:-}}\"", false), ("\"${SET:-${SET:-default}}\"", true),
    ])
    func `a text is written out where the file alone tells it`(_ text: String, _ isWrittenOut: Bool) throws {
        #expect(try parse("a: \(text)\n", ["SET": "s3cret"])["a"]?.isWrittenOut == isWrittenOut)
    }

    @Test func `a key knows how it is written beside what it is`() throws {
        let entries = try parse("${KEY}: { \"${KEY}.$${a}\": 1 }\nb: 2\n", ["KEY": "s3cret"]).entries ?? []
        #expect(entries.map(\.key) == ["s3cret", "b"])
        #expect(entries.map(\.writtenKey) == ["${KEY}", "b"])
        let inner = try #require(entries[0].value.entries?.first)
        #expect(inner.key == "s3cret.${a}")
        #expect(inner.writtenKey == "${KEY}.$${a}")
    }

    @Test func `JSON is read as well`() throws {
        let root = try parse(#"{"a": {"b": [1, "2", null, true]}}"#)
        let texts = root["a"]?["b"]?.elements?.map(\.text)
        #expect(texts == ["1", "2", nil, "true"])
    }

    @Test(arguments: [("~", true), ("null", true), ("", true), ("'null'", false), ("\"\"", false), ("${N}", false)])
    func `only bare words are nothing`(_ text: String, _ isNull: Bool) throws {
        let root = try parse("a: \(text)\n", ["N": "null"])
        #expect(root["a"]?.isNull == isNull)
    }

    @Test func `what comes from the environment stays text`() throws {
        let root = try parse("a: ${X}\n${KEY}: 1\n", ["X": "{ b: [1] }", "KEY": "k"])
        guard case .scalar(let text, let isPlain)? = root["a"]?.content else {
            Issue.record("no scalar")
            return
        }
        #expect(text == "{ b: [1] }")
        #expect(!isPlain)
        #expect(root["k"]?.text == "1")
    }

    @Test func `aliases repeat a value, and merges give way to the mapping's own keys and to earlier ones`() throws {
        let root = try parse(
            """
            base: &base { x: 1, y: 1 }
            other: &other { y: 2, z: 2 }
            same: *base
            one: { <<: *base, y: 9 }
            two: { <<: [*base, *other] }
            """)
        #expect(root["same"]?["x"]?.text == "1")
        #expect(root["one"]?["x"]?.text == "1")
        #expect(root["one"]?["y"]?.text == "9")
        #expect(root["two"]?["y"]?.text == "1")
        #expect(root["two"]?["z"]?.text == "2")
    }

    @Test func `problems that leave a tree are kept with it, all of them`() throws {
        let text = "a: ${ONE}\nb: ${TWO}\n${A:-a}: 3\nc: !t 4\n"
        let document = try ConfigDocument.parse(text, file: "c.yaml", environment: [:])
        #expect(
            document.problems.map(\.position.description) == ["c.yaml:1:4", "c.yaml:2:4", "c.yaml:3:1", "c.yaml:4:4"])
        #expect(document.root["a"]?.text == "")
    }

    @Test func `aliases cannot unfold without bound`() {
        var text = "l0: &l0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let aliases = Array(repeating: "*l\(level - 1)", count: 9).joined(separator: ", ")
            text += "l\(level): &l\(level) [\(aliases)]\n"
        }
        #expect(throws: ConfigurationError.self) {
            try ConfigDocument.parse(text, file: "c.yaml", environment: [:])
        }
    }

    @Test func `nesting has a bound`() {
        let text = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigDocument.parse(text, file: "c.yaml", environment: [:])
        }
        #expect(error?.description == "c.yaml:1:201: error: nested more than 200 levels deep")
    }

    @Test(arguments: [
        ("\"a\": 1\n'a': 2\n", 1), ("ö ü: 1\r\nö ü: 2\r\n", 1), ("1: 1\n\"1\": 2\n", 1),
        ("{ a: 1, a: 2 }", 3), ("? a\n: 1\n? a\n: 2\n", 3), ("\"\\x61\": 1\na: 2\n", 1),
    ])
    func `duplicate keys are found however they are written`(_ text: String, _ column: Int) {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigDocument.parse(text, file: "c.yaml", environment: [:])
        }
        let first = SourcePosition(file: "c.yaml", line: 1, column: column)
        #expect(error?.diagnostics.map(\.position) == [first])
    }
}
