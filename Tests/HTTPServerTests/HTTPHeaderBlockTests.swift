import HTTPServer
import Testing

@Suite struct HTTPHeaderBlockTests {
    @Test func keepsFieldsInOrder() throws {
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

    @Test(arguments: ["", "a b", "a:", "a\r\n", "\u{e9}", "a\u{0}"])
    func refusesANameThatIsNoToken(name: String) {
        var block = HTTPHeaderBlock()
        #expect(throws: HTTPHeaderError.invalidName(name)) { try block.append(name, "v") }
        #expect(block == HTTPHeaderBlock())
    }

    @Test(arguments: ["a\r\nSet-Cookie: b", "a\nb", "a\rb", "\u{0}", "\u{7f}", "\u{1b}[0m"])
    func refusesAValueWithControls(value: String) {
        var block = HTTPHeaderBlock()
        #expect(throws: HTTPHeaderError.invalidValue(name: "A", value: value)) { try block.append("A", value) }
        #expect(block == HTTPHeaderBlock())
    }

    @Test(arguments: ["a\tb", "caf\u{e9}", ""])
    func takesAValueWith(text: String) throws {
        var block = HTTPHeaderBlock()
        try block.append("A", text)
        #expect(block.first("a") == text)
    }

    @Test(arguments: ["Date", "content-length", "Transfer-Encoding", "CONNECTION"])
    func refusesWhatTheServerWrites(name: String) {
        var block = HTTPHeaderBlock()
        #expect(throws: HTTPHeaderError.reserved(name)) { try block.append(name, "1") }
    }
}
