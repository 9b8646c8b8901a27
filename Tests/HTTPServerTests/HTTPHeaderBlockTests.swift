import HTTPServer
import TestSupport
import Testing

@Suite struct HTTPHeaderBlockTests {
    @Test func `keeps fields in order`() throws {
        var block: HTTPHeaderBlock = ["Vary": "A"]
        try block.append("ETag", "\"x: y\"")
        block.append("Age", number: 12)
        block.append(["vary": "B", "Empty": ""])
        #expect(block.fields.map(\.name) == ["Vary", "ETag", "Age", "vary", "Empty"])
        #expect(block.fields.map(\.value) == ["A", "\"x: y\"", "12", "B", ""])
        #expect(block.first("VARY") == "A")
        #expect(block.contains("etag"))
        #expect(!block.contains("tag"))
    }

    @Test func `follows one block by another`() {
        let first: HTTPHeaderBlock = ["A": "1"]
        let both = first.followed(by: ["B": "2", "A": "3"])
        #expect(both.fields.map(\.name) == ["A", "B", "A"])
        #expect(both.first("A") == "1")
        #expect(first.fields.count == 1)
    }

    @Test(
        arguments: [
            (["A": "1", "Vary": "B", "C": "2"], ["A": "1", "Vary": "B, X, Y", "C": "2"]),
            (["vary": "B", "Vary": "C"], ["vary": "B, X, Y", "Vary": "C"]),
            (["Varying": "B"], ["Varying": "B", "Vary": "X, Y"]), ([:], ["Vary": "X, Y"]),
            (["A": "Vary: B", "C": ""], ["A": "Vary: B", "C": "", "Vary": "X, Y"]),
        ] as [(HTTPHeaderBlock, HTTPHeaderBlock)])
    func `adds to the list that is there`(before: HTTPHeaderBlock, after: HTTPHeaderBlock) {
        var block = before
        block.append("X, Y", toList: "Vary")
        #expect(block == after)
    }

    @Test(arguments: ["", "a b", "a:", "a\r\n", "\u{e9}", "a\u{0}"])
    func `refuses a name that is no token`(name: String) {
        var block = HTTPHeaderBlock()
        #expect(throws: HTTPHeaderError.invalidName(name)) { try block.append(name, "v") }
        #expect(block == HTTPHeaderBlock())
    }

    @Test(arguments: ["a\r\nSet-Cookie: b", "a\nb", "a\rb", "\u{0}", "\u{7f}", "\u{1b}[0m"])
    func `refuses a value with controls`(value: String) {
        var block = HTTPHeaderBlock()
        #expect(throws: HTTPHeaderError.invalidValue(name: "A", value: value)) { try block.append("A", value) }
        #expect(block == HTTPHeaderBlock())
    }

    @Test(arguments: ["a\tb", "caf\u{e9}", ""])
    func `takes a value of these characters`(text: String) throws {
        var block = HTTPHeaderBlock()
        try block.append("A", text)
        #expect(block.first("a") == text)
    }

    @Test(arguments: ["Date", "content-length", "Transfer-Encoding", "CONNECTION"])
    func `refuses what the server writes`(name: String) {
        var block = HTTPHeaderBlock()
        #expect(throws: HTTPHeaderError.reserved(name)) { try block.append(name, "1") }
    }
}
