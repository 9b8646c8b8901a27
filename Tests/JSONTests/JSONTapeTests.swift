import JSON
import Testing

/// The cases of the public JSON parsing test suite, parted by white space; `%` and two digits stand for a byte.
enum JSONSuite {
    /// Texts to accept.
    static let valid = cases(
        #"""
        [[]%20%20%20] [""] [] ["a"]%0A [false] [null,%201,%20"1",%20{}] [null] [1%0A] %20[1] [1,null,null,null,2]
        [2]%20 [123e65] [0e+1] [0e1] [%204]
        [-0.000000000000000000000000000000000000000000000000000000000000000000000000000001] [20e1] [-0] [-123] [-1]
        [1E22] [1E-2] [1E+2] [123e45] [123.456e78] [1e-2] [1e+2] [123] [123.456789] {"asd":"sdf",%20"dfg":"fgh"}
        {"asd":"sdf"} {} {"":0} {"foo\u0000bar":%2042} {%20"min":%20-1.0e+28,%20"max":%201.0e+28%20}
        {"x":[{"id":%20"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}],%20"id":%20"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}
        {"a":[]} {"title":"\u041f\u043e\u043b\u0442\u043e\u0440\u0430"} {%0A"a":%20"b"%0A} ["\u0060\u012a\u12AB"]
        ["\uD801\udc37"] ["\ud83d\ude39\ud83d\udc8d"] ["\"\\\/\b\f\n\r\t"] ["\\u0000"] ["\""] ["a/*b*/c/*d//e"]
        ["\\a"] ["\\n"] ["\u0012"] ["\uFFFF"] ["asd"] [%20"asd"] ["\uDBFF\uDFFF"] ["new\u00A0line"] ["%F4%8F%BF%BF"]
        ["%EF%BF%BF"] ["\u0000"] ["\u002c"] ["%CF%80"] ["%F0%9B%BF%BF"] ["asd%20"] "%20" ["\uD834\uDd1e"] ["\u0821"]
        ["\u0123"] ["%E2%80%A8"] ["%E2%80%A9"] ["\u0061\u30af\u30EA\u30b9"] ["new\u000Aline"] ["%7F"] ["\uA66D"]
        ["\u005C"] ["%E2%8D%82%E3%88%B4%E2%8D%82"] ["\uDBFF\uDFFE"] ["\uD83F\uDFFE"] ["\u200B"] ["\u2064"] ["\uFDD0"]
        ["\uFFFE"] ["\u0022"] ["%E2%82%AC%F0%9D%84%9E"] ["a%7Fa"] false 42 -0.1 null "asd" true "" [true] %20[]%20
        """#)

    /// Texts to accept or not; the reader accepts these.
    static let lenient = cases(
        #"""
        [123.456e-789]
        [0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999]
        [-1e+9999] [1.5e+9999] [-123123e100000] [123123e100000] [123e-10000000] [-123123123123123123123123123123]
        [100000000000000000000] [-237462374673276894279832749832423479823246327846]
        """#)

    /// Texts to accept or not; the reader refuses these, and the first two, which the suite accepts and which use a name
    /// twice.
    static let strict = cases(
        #"""
        {"a":"b","a":"c"} {"a":"b","a":"b"} {"\uDFAA":0} ["\uDADA"] ["\uD888\u1234"] %FF%FE[%00"%00%E9%00"%00]%00
        ["%E6%97%A5%D1%88%FA"] ["%ED%A0%80"] ["\uD800\n"] ["\uDd1ea"] ["\uD800\uD800\n"] ["\ud800"] ["\ud800abc"]
        ["%FF"] ["\uDd1e\uD834"] ["%E9"] ["\uDFAA"] ["%81"] ["%F4%BF%BF%BF"] ["%C0%AF"] ["%FC%83%BF%BF%BF%BF"]
        ["%FC%80%80%80%80%80"] ["%E0%FF"] %00[%00"%00%E9%00"%00] [%00"%00%E9%00"%00]%00
        """#)

    /// Texts to refuse.
    static let invalid =
        cases(
            #"""
            [1%20true] [a%E5] ["":%201] [""], ["x",,] ["x"]] ["",] ["x" [%20%20%20,%20""] ["a",%0A4%0A,1, ["%0Ba"\f] [""
            [1,%0A1%0A,1 123%00 [1%20000.0] [-%201] ["x",%20truth] {[:%20"x"} {"x",%20null} {"x"::"b"} {"a":"a"%20123}
            {key:%20'value'} {"%B9":"0",} {"a"%20b} {:"b"} {"a"%20"b"} {"a": {"a" {"id":0,,,,,} {"id":0,} {"a":"b"}/**/
            {"a":"b"}/**// {"a":"b"}// {"a":"b"}/ {"a":"b",,"c":"d"} {a:%20"b"} {"a":"a {%20"foo"%20:%20"bar",%20"a"%20}
            {"a":"b"}# %20 ["\uD800\"] ["\uD800\u"] ["\uD800\u1"] ["\uD800\u1x"] ["\%00"] ["\x00"] ["\\\"] ["\%09"]
            ["\%F0%9F%8C%80"] ["\"] ["\u00A"] ["\uD834\uDd"] ["\uD800\uD800\x"] ["\u%E5"] ["\a"] ["\uqqqq"] ["\%E5"]
            [\u0020"asd"] " ['single%20quote'] ["\ ["a%00a"] ["new%0Aline"] ["%09"] "\UA66D" ""x ["asd] {"x":%20true, {"":
            {"a":/*comment*/"b"} {"a":%20true}%20"x" ["a ["a" {"a ["\{["\{["\{["\{ {"a":"b"}#{} [\u000A""]
            [%20false,%20nul [%20true,%20fals [%20false,%20tru {"asd":"asd" [,1] [1,,2] [x [3[4]] [%FF] [1:2] [,] [-] [1,]
            [1,,] [*] [1, [{} [fals] [nul] [tru] [++1234] [+1] [+Inf] [-01] [-1.0.] [-2.] [-NaN] [.-1] [.2e-3] [0.1.2]
            [0.3e+] [0.3e] [0.e1] [0E+] [0E] [0e+] [0e] [1.0e+] [1.0e-] [1.0e] [1eE2] [2.e+3] [2.e-3] [2.e3] [9.e+] [Inf]
            [NaN] [%EF%BC%91] [1+2] [0x1] [0x42] [Infinity] [0e+-1] [-123.123foo] [123%E5] [1e1%E5] [0%E5] [-Infinity]
            [-foo] [-012] [-.123] [-1x] [1ea] [1e%E5] [1.] [.123] [1.2a-3] [1.8011670033376514H-308] [012]
            {%F0%9F%87%A8%F0%9F%87%AD} {1:1} {9999E9999:1} {null:null,null:null} {'a':0} [%C3%A9] [\n] abc [%E2%81%A0]
            %EF%BB%BF <.> <null> [<null>] [1]x [1]] a%C3%A5 [True] 1] [][] ] %EF%BB{} %E5 [ [%00] 2@ {}} [' [, [{ { {] {,
            {[ {'a' %E9 * [1 %C3%A5 %E2%81%A0 [%0C]
            """#) + [""]

    private static func cases(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    static func bytes(_ text: String) -> [UInt8] {
        let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        return Array(parts[0])
            + parts.dropFirst().flatMap { part in
                [UInt8(String(Substring(part.prefix(2))), radix: 16) ?? 0] + part.dropFirst(2)
            }
    }
}

struct JSONTapeTests {
    /// Scans the value of a text that has nothing else but white space.
    private func scan(_ text: [UInt8]) throws(Unscannable) -> JSONTape {
        var tape = JSONTape()
        let start = text.firstIndex { !" \t\r\n".utf8.contains($0) } ?? 0
        let end = try tape.scan(text.span, at: start)
        guard text[end...].allSatisfy({ " \t\r\n".utf8.contains($0) }) else { throw Unscannable() }
        return tape
    }

    /// Whether the scanner accepts no text that the reader refuses, and knows what is written as it stands.
    private func agrees(on text: [UInt8]) -> Bool {
        guard let tape = try? scan(text) else { return true }
        let hasDigits = text.split(separator: UInt8(ascii: "\\")).dropFirst().contains { $0.first == UInt8(ascii: "u") }
        guard let value = try? JSONParser().parse(text) else { return hasDigits && !tape.entries[0].isCanonical }
        return !tape.entries[0].isCanonical || value.encoded() == Array(text[tape.entries[0].range])
    }

    @Test(arguments: JSONSuite.valid + JSONSuite.lenient)
    func `finds every value where the reader does`(text: String) throws {
        let bytes = JSONSuite.bytes(text)
        let value = try JSONParser().parse(bytes)
        #expect(agrees(on: bytes))
        for length in bytes.indices { #expect(agrees(on: Array(bytes[..<length]))) }
        guard !text.contains("foo") else {
            #expect(throws: Unscannable.self) { try scan(bytes) }
            return
        }
        let tape = try scan(bytes)
        #expect(try JSONParser().parse(bytes, in: tape.entries[0].range) == value)
        #expect(tape.entries[0].next == tape.entries.count)
        let elements = value.array ?? value.object?.members.map(\.value) ?? []
        var place = 1
        for element in elements {
            #expect(try JSONParser().parse(bytes, in: tape.entries[place].range) == element)
            place = tape.entries[place].next
        }
        #expect(place == tape.entries.count)
    }

    @Test(arguments: JSONSuite.invalid + JSONSuite.strict)
    func `accepts nothing that the reader refuses, but for escapes of digits`(text: String) {
        let bytes = JSONSuite.bytes(text)
        #expect(throws: JSONSyntaxError.self) { try JSONParser().parse(bytes) }
        #expect(agrees(on: bytes))
        for length in bytes.indices { #expect(agrees(on: Array(bytes[..<length]))) }
    }

    @Test func `leaves what is deep, long or marked to the reader`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        func object(_ count: Int) -> [UInt8] {
            Array("{\((0..<count).map { "\"name\($0)\":0" }.joined(separator: ","))}".utf8)
        }
        #expect(throws: Never.self) { try scan(nested(64)) }
        #expect(throws: Never.self) { try scan(object(JSONTape.memberLimit)) }
        for text in [nested(65), nested(500), object(JSONTape.memberLimit + 1), Array("\u{FEFF}{}".utf8)] {
            #expect(throws: Never.self) { try JSONParser().parse(text) }
            #expect(throws: Unscannable.self) { try scan(text) }
        }
        for open in ["[", "{\"\":", "[{\"\":"] {
            let text = Array(String(repeating: open, count: 100_000).utf8)
            #expect(throws: JSONSyntaxError.self) { try JSONParser().parse(text) }
            #expect(throws: Unscannable.self) { try scan(text) }
        }
    }

    @Test(arguments: [[4], [3, 4, 6], [1, 9], [5, 7, 8], [2], [2, 9], [0]], 0..<4)
    func `has the places of a text in which values were replaced`(places: [Int], shift: Int) throws {
        let others = [#"{"k":[true,{"l":null}]}"#, "7", #""""#, "[]"].map { Array($0.utf8) }
        var text = Array(#"{"a":{"b":[1,{"id":"x"},3],"c":2},"d":"e","f":[]}"#.utf8)
        var tape = try scan(text)
        let changes = places.map { (place: $0, other: others[($0 + shift) % 4]) }
        for change in changes.reversed() {
            text.replaceSubrange(tape.entries[change.place].range, with: change.other)
        }
        try tape.replace(changes.map { ($0.place, try scan($0.other).entries) })
        func described(_ tape: JSONTape) -> [String] {
            tape.entries.map { entry in
                let name = entry.keyStart < entry.keyEnd ? "\(entry.keyStart) \(entry.keyEnd)" : ""
                return "\(entry.print) \(name) \(entry.range) \(entry.next) \(entry.isCanonical)"
            }
        }
        #expect(described(tape) == described(try scan(text)))
    }

    /// Words of eight bytes are looked at at once: every byte, at every place of one and at the end of the text.
    @Test func `finds every byte that ends a string or is not in one`() {
        for place in 0..<17 {
            for byte in UInt8.min ... .max {
                var text = Array("\"\(String(repeating: "a", count: 17))\"".utf8)
                text[1 + place] = byte
                #expect(agrees(on: text))
                #expect((try? scan(text)) == nil || (try? JSONParser().parse(text)) != nil)
                #expect((try? JSONParser().parse(text)) == nil || (try? scan(text)) != nil)
            }
        }
    }
}
