import JSON
import Testing

@Suite struct JSONRangesTests {
    private let bytes = Array(#" { "a" : [1, {"]":"}"} ] , "b\"" : "x\\" , "c":-1.0,"d":null }"#.utf8)

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    @Test func memberRangesHoldJustTheValues() throws {
        let members = try JSONParser().parseMemberRanges(bytes)
        #expect(members.map(\.key) == ["a", "b\"", "c", "d"])
        #expect(members.map { text($0.range) } == [#"[1, {"]":"}"} ]"#, #""x\\""#, "-1.0", "null"])
    }

    private func elements(in range: Range<Int>) throws -> [(value: JSONValue, text: String)] {
        var elements: [(JSONValue, String)] = []
        try JSONParser().forEachElement(of: bytes, in: range) { elements.append(($0, text($1))) }
        return elements
    }

    @Test func elementsKnowTheirPlaceInTheWholeText() throws {
        let range = try #require(try JSONParser().parseMemberRanges(bytes).first?.range)
        let elements = try elements(in: range)
        #expect(elements.map(\.text) == ["1", #"{"]":"}"}"#])
        #expect(elements.map(\.value) == [1, .object(["]": "}"])])
    }

    @Test func whatIsNoArrayHasNoElements() throws {
        #expect(throws: JSONSyntaxError.self) { try elements(in: bytes.indices) }
        #expect(throws: JSONSyntaxError.self) { try elements(in: 0..<0) }
    }

    @Test func placesInErrorsCountFromTheStartOfTheText() {
        let text = Array("[1] x".utf8)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser().parse(text, in: 4..<5) }
        #expect(error?.description == "line 1, column 5: expected a value, found \"x\"")
    }

    @Test func anEmptyArrayHasNoElements() throws {
        try JSONParser().forEachElement(of: Array("[ ]".utf8), in: 0..<3) { value, _ in
            Issue.record("found \(value)")
        }
    }

    @Test(arguments: ["[1]", "1", #"{"a":[}"#, #"{"a":"}"#, #"{"a":1,"a":2}"#, #"{"a":1}x"#])
    func textsThatAreNoObjectHaveNoMemberRanges(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONParser().parseMemberRanges(Array(text.utf8)) }
    }
}
