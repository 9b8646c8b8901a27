import JSON
import Testing

struct JSONParserTests {
    @Test(arguments: [
        ("null", "null"), (" true\t", "true"), ("\r\nfalse\n", "false"),
        ("0", "0"), ("-0", "-0"), ("19.90", "19.90"), ("1E+2", "1E+2"), ("1e-2", "1e-2"), ("-0.10e05", "-0.10e05"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("[]", "[]"), ("[ ]", "[]"), ("{ }", "{}"), ("[1, [2, {}]]", "[1,[2,{}]]"),
        (#"{"b": 1, "a": 2, "": 3}"#, #"{"b":1,"a":2,"":3}"#),
        (#""""#, #""""#), (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#),
        (#""\u00e9\u20AC""#, "\"é€\""), (#""\ud83d\ude00""#, "\"😀\""),
        (#""\u0000\u001f""#, #""\u0000\u001f""#),
        ("\"é€😀\u{7F}\u{2028}\"", "\"é€😀\u{7F}\u{2028}\""),
    ])
    func `accepts what RFC 8259 allows and writes it back in the shortest form`(text: String, written: String) throws {
        #expect(try JSONValue(parsing: text).description == written)
    }

    @Test(arguments: [
        ("", "line 1, column 1: expected a value, found the end"),
        ("  ", "line 1, column 3: expected a value, found the end"),
        ("<html>", "line 1, column 1: expected a value, found \"<\""),
        ("nul", "line 1, column 4: expected null, found the end"),
        ("[\nnot found]", "line 2, column 1: expected a value, found \"n\""),
        ("True", "line 1, column 1: expected a value, found \"T\""),
        ("01", "line 1, column 2: expected the end of the document, found \"1\""),
        ("+1", "line 1, column 1: expected a value, found \"+\""),
        (".5", "line 1, column 1: expected a value, found \".\""),
        ("-", "line 1, column 2: expected a digit, found the end"),
        ("1.", "line 1, column 3: expected a digit, found the end"),
        ("1.e2", "line 1, column 3: expected a digit, found \"e\""),
        ("1e+", "line 1, column 4: expected a digit, found the end"),
        ("NaN", "line 1, column 1: expected a value, found \"N\""),
        ("1 2", "line 1, column 3: expected the end of the document, found \"2\""),
        ("[1,]", "line 1, column 4: expected a value, found \"]\""),
        ("[1", "line 1, column 3: expected \",\" or \"]\", found the end"),
        ("[1\n 2]", "line 2, column 2: expected \",\" or \"]\", found \"2\""),
        ("{\"a\"}", "line 1, column 5: expected \":\", found \"}\""),
        ("{\"a\":1,}", "line 1, column 8: expected a key in quotes, found \"}\""),
        ("{a:1}", "line 1, column 2: expected a key in quotes, found \"a\""),
        ("{\"a\":1,\n\"é\":2, \"a\":3}", "line 2, column 8: duplicate key \"a\""),
        ("{\"a\":1,\"\\u0061\":2}", "line 1, column 8: duplicate key \"a\""),
        ("\"a", "line 1, column 3: expected the string's closing quote, found the end"),
        ("\"a\\", "line 1, column 4: expected an escape, found the end"),
        ("\"\u{1}\"", "line 1, column 2: control character 1 in a string must be escaped"),
        ("\"\\n\n\"", "line 1, column 4: control character 10 in a string must be escaped"),
        ("\"\\x\"", "line 1, column 3: \"x\" is not a valid escape"),
        ("\"\\u12g4\"", "line 1, column 6: expected a hexadecimal digit, found \"g\""),
        ("\"\\ud83d\"", "line 1, column 2: half of a surrogate pair"),
        ("\"\\ud83dx\"", "line 1, column 2: half of a surrogate pair"),
        ("\"\\ud83d\\u0041\"", "line 1, column 2: half of a surrogate pair"),
        ("\"\\ude00\\ud83d\"", "line 1, column 2: half of a surrogate pair"),
        ("'a'", "line 1, column 1: expected a value, found \"'\""),
        ("/**/1", "line 1, column 1: expected a value, found \"/\""),
        ("\u{A0}1", "line 1, column 1: expected a value, found byte 194"),
    ])
    func `refuses what RFC 8259 does not allow, and says where and why`(text: String, message: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        #expect(error?.description == message)
    }

    @Test(
        arguments: [
            [0x80], [0xC3], [0xC0, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
        ]
            as [[UInt8]])
    func `refuses strings that are not UTF-8`(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let plain = #expect(throws: JSONSyntaxError.self) { try JSONParser().parse([quote] + bytes + [quote]) }
        #expect(plain?.reason == .invalidUTF8)
        let escaped = #expect(throws: JSONSyntaxError.self) {
            try JSONParser().parse([quote] + Array(#"\n"#.utf8) + bytes + [quote])
        }
        #expect(escaped?.reason == .invalidUTF8)
    }

    @Test func `skips one byte order mark`() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try JSONParser().parse(mark + Array("[1]".utf8)) == .array([.number(1)]))
        #expect(throws: JSONSyntaxError.self) { try JSONParser().parse(mark + mark + Array("[1]".utf8)) }
    }

    @Test func `nests as deep as the limit and no deeper`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[{\"a\":", count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
        }
        #expect(try JSONValue(parsing: nested(512)).description == nested(512))
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(514)) }
        #expect(error?.reason == .tooDeep(limit: 512))
        #expect(throws: JSONSyntaxError.self) { try JSONParser(depthLimit: 1).parse(Array("[[]]".utf8)) }
        #expect(try JSONParser(depthLimit: 1).parse(Array("[]".utf8)) == .array([]))
    }

    @Test func `every prefix of a document is refused without a trap`() throws {
        let document = Array(#"{"a":[1.5e3,"\ud83d\ude00é",true,null],"b":{"c":-0}}"#.utf8)
        for length in 0..<document.count {
            #expect(throws: JSONSyntaxError.self) { try JSONParser().parse(Array(document.prefix(length))) }
            #expect(throws: JSONSyntaxError.self) { try JSONParser().parseMemberRanges(Array(document.prefix(length))) }
        }
    }

    @Test func `many members are checked for duplicates in linear time`() throws {
        let members = (0..<20_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
        let object = try #require(try JSONValue(parsing: "{\(members)}").object)
        #expect(object.count == 20_000)
        #expect(object["key19999"] == .number(19_999))
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "{\(members),\"key7\":0}") }
        #expect(error?.reason == .duplicateKey("key7"))
    }
}

struct JSONRangesTests {
    private let bytes = Array(#" { "a" : [1, {"]":"}"} ] , "b\"" : "x\\" , "c":-1.0,"d":null }"#.utf8)

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    @Test func `member ranges hold just the values`() throws {
        let members = try JSONParser().parseMemberRanges(bytes)
        #expect(members.map(\.key) == ["a", "b\"", "c", "d"])
        #expect(members.map { text($0.range) } == [#"[1, {"]":"}"} ]"#, #""x\\""#, "-1.0", "null"])
    }

    @Test(arguments: [
        ("{}", 2), ("[{}]x", 4), (#"{"]":"}"},{}"#, 9), (#"[[1],{"a":[]}]]"#, 14), (#"{"a":"\"}"}"#, 11),
        (#"{"a\\":"\\"}}"#, 12), ("{\"\u{1}\":1}", 7), ("{", nil), ("[[]", nil), (#"{"a"#, nil), (#"{"a\"#, nil),
        (#"{"}"#, nil), (#"{"a\"}"#, nil), ("x", nil), ("", nil),
    ])
    func `brackets end outside of strings`(text: String, end: Int?) {
        #expect(JSONStringScan.endOfBrackets(Array(text.utf8).span, from: 0) == end)
        let padding = String(repeating: "é", count: 9)
        let padded = text.replacing("\"", with: "\"\(padding)", maxReplacements: 1)
        let added = padded.utf8.count - text.utf8.count
        #expect(JSONStringScan.endOfBrackets(Array(padded.utf8).span, from: 0) == end.map { $0 + added })
    }

    private func elements(
        in range: Range<Int>, passing pass: (Int) -> Int? = { _ in nil }
    ) throws -> [JSONValue] {
        var elements: [JSONValue] = []
        try JSONParser().forEachElement(of: bytes, in: range, passing: pass) { value, _ in elements.append(value) }
        return elements
    }

    @Test func `elements are read unless they are passed`() throws {
        let range = try #require(try JSONParser().parseMemberRanges(bytes).first?.range)
        #expect(try elements(in: range) == [1, .object(["]": "}"])])
        var offsets: [Int] = []
        let unpassed = try elements(in: range) { offset in
            offsets.append(offset)
            return bytes[offset] == UInt8(ascii: "1") ? offset + 1 : nil
        }
        #expect(unpassed == [.object(["]": "}"])])
        #expect(offsets.map { bytes[$0] } == Array("1{".utf8))
    }

    private static let arrays: [(text: String, found: String?)] = [
        ("[1]", "[1]"), (#"{"products":[2],"x":1}"#, "[2]"), (#"{"a":{"b":[3]},"products":1}"#, "[3]"),
        (#"{"a":{"c":[]},"products":[4]}"#, "[4]"), (#"{"a":[{"b":[5]}]}"#, nil), ("{}", nil), ("7", nil), ("", nil),
    ]

    @Test(arguments: arrays)
    func `arrays are found by paths`(text: String, found: String?) throws {
        let paths = [JSONPath.root] + ["a.b", "products"].compactMap { JSONPath($0) }
        let bytes = Array(text.utf8)
        let range = try JSONParser().arrayRange(at: paths, in: bytes)
        #expect(range.map { String(decoding: bytes[$0], as: UTF8.self) } == found)
    }

    @Test func `names on the way to an array are compared by their bytes`() throws {
        let bytes = Array("{\"caf\u{65}\u{301}\":[1],\"caf\u{e9}\":[2]}".utf8)
        let range = try JSONParser().arrayRange(at: ["caf\u{e9}"].compactMap { JSONPath($0) }, in: bytes)
        #expect(range.map { String(decoding: bytes[$0], as: UTF8.self) } == "[2]")
    }

    @Test(arguments: [#"{"products":[1],"x":tru}"#, #"{"products":[1],"products":[]}"#, #"{"products":[1]}}"#])
    func `faults around an array are found`(text: String) {
        #expect(throws: JSONSyntaxError.self) {
            try JSONParser().arrayRange(at: ["products"].compactMap { JSONPath($0) }, in: Array(text.utf8))
        }
    }

    @Test func `what is no array has no elements`() throws {
        #expect(throws: JSONSyntaxError.self) { try elements(in: bytes.indices) }
        #expect(throws: JSONSyntaxError.self) { try elements(in: 0..<0) }
    }

    @Test func `places in errors count from the start of the text`() {
        let text = Array("[1] x".utf8)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser().parse(text, in: 4..<5) }
        #expect(error?.description == "line 1, column 5: expected a value, found \"x\"")
    }

    @Test func `an empty array has no elements`() throws {
        try JSONParser().forEachElement(of: Array("[ ]".utf8), in: 0..<3) { value, _ in
            Issue.record("found \(value)")
        }
    }

    @Test(arguments: ["[1]", "1", #"{"a":[}"#, #"{"a":"}"#, #"{"a":1,"a":2}"#, #"{"a":1}x"#])
    func `texts that are no object have no member ranges`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONParser().parseMemberRanges(Array(text.utf8)) }
    }
}

extension JSONValue {
    /// The value of a text, for tests that are about something else than parsing.
    init(parsing text: String) throws {
        self = try JSONParser().parse(Array(text.utf8))
    }
}
