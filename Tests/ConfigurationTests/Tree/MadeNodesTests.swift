import Testing

@testable import Configuration

struct MadeNodesTests {
    private static let environment = [
        "HOST": "shop.example:81", "KEY": "s3cret", "NONE": "", "URL": "http://a.example/p",
    ]

    private func node(_ text: String) throws -> ConfigNode {
        let document = try ConfigDocument.parse("a: \"\(text)\"\n", file: "c.yaml", environment: Self.environment)
        return try #require(document.root["a"])
    }

    @Test(arguments: [
        ("http://${HOST}/p", 0..<22, "http://shop.example:81", "http://${HOST}"),
        ("http://${HOST}/p", 22..<24, "/p", nil), ("http://${HOST}/p", 7..<22, "shop.example:81", "${HOST}"),
        ("/a$${b}/${KEY}", 0..<6, "/a${b}", "/a$${b}"), ("abcdef", 2..<4, "cd", nil),
        ("a${NONE}b", 0..<2, "ab", "a${NONE}b"), ("ab${NONE}", 1..<2, "b", "b${NONE}"),
    ])
    func `a part of a text is written by the variables in it`(
        text: String, range: Range<Int>, value: String, written: String?
    ) throws {
        let part = try #require(try node(text).part(range))
        #expect(part.text == value && part.template == written)
        #expect(part.variables == (written == nil ? [] : try node(text).variables))
        #expect(part.position.description == "c.yaml:1:4")
    }

    @Test(arguments: [("http://${HOST}/p", 0..<12), ("${URL}", 0..<16), ("a${NONE}b", 0..<1), ("a$${b", 0..<2)])
    func `a part that ends within a variable's value, or at an empty one, is none`(text: String, range: Range<Int>)
        throws
    {
        #expect(try node(text).part(range) == nil)
    }

    @Test func `a text that is followed by another or changed keeps its variables`() throws {
        #expect(try node("${KEY}").followed(by: "/x").template == "${KEY}/x")
        #expect(try node("plain").followed(by: "/x").text == "plain/x")
        let changed = try #require(try node("a ${KEY} b").changingPlainText { $0.uppercased() })
        #expect(changed.text == "A s3cret B" && changed.template == "A ${KEY} B")
        let escaped = try #require(try node("a${KEY}").changingPlainText { _ in "${" })
        #expect(escaped.text == "${s3cret" && escaped.template == "$${${KEY}")
        #expect(try node("a${KEY}").changingPlainText { _ in "$" } == nil)
    }

    @Test(arguments: [
        "a: 1\nb: \"1\"\nc: ~\nd: []\ne: {}\nf: ''\n", "a: { b: [1, { c: \"x, y\" }], d: \"${KEY}-$${KEY}\" }\n",
        "a: [\"~\", \"null\", \"true\", true, 1.5, \"1.5\", \"a: b\", \"- a\", \"#\", \"größe\", \"\\u0007\\n\\t\"]\n",
        "\"${KEY}\": 1\n\"a b\": 2\n\"<<\": { x: 1 }\n\"\": 3\n\"$${\": 4\n", "- a\n- [b, [c, [d, [e]]]]\n",
        "base: &b { x: 1 }\na: { <<: *b, y: 2 }\nc: *b\n",
        "a: |\n  two\n  lines\nb: { long: \"\(String(repeating: "word ", count: 60))\", c: { d: { e: { f: g } } } }\n",
    ])
    func `a tree that is written and parsed again is the same, with no value of a variable in its text`(
        yaml: String
    ) throws {
        let document = try ConfigDocument.parse(yaml, file: "c.yaml", environment: Self.environment)
        let written = document.yaml
        #expect(!written.contains("s3cret"))
        let again = try ConfigDocument.parse(written, file: "c.yaml", environment: Self.environment)
        #expect(again.root.hasSameContent(as: document.root), "\(written)")
        #expect(again.yaml == written)
    }
}
