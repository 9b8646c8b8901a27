import FoundationEssentials
import PolymorphicCodable
import Testing

@Suite struct ArticleTests {
    private static let text = #"{"type":"text","text":"hello"}"#
    private static let json = #"[\#(text),{"type":"picture","url":"a.png","width":640}]"#

    @Test("every block of code in the article is compiled, and run by these tests")
    func blocksAreCompiled() throws {
        let code = try lines(of: "Tests/PolymorphicCodableTests/ArticleExample.swift")
        let blocks = try blocks(
            in: lines(of: "Sources/PolymorphicCodable/PolymorphicCodable.docc/PolymorphicCodable.md"))
        #expect(blocks.count == 7)
        for block in blocks {
            #expect(code.contains(block), "\(block.joined(separator: "\n"))")
        }
    }

    @Test("what the article reads, it writes")
    func readsAndWrites() throws {
        let messages = try read(Data(Self.json.utf8))
        #expect((messages.first as? TextMessage)?.text == "hello")
        #expect((messages.last as? PictureMessage)?.width == 640)
        let thread = #"[{"type":"thread","first":\#(Self.text),"answers":\#(Self.json)}]"#
        let again = try read(write(read(Data(thread.utf8))))
        #expect((again.first as? ThreadMessage)?.first is TextMessage)
        #expect((again.first as? ThreadMessage)?.answers.count == 2)
    }

    @Test("the article's policies do what it says of them")
    func policies() throws {
        let json = Data(#"[{"type":"text","text":"a"},{"type":"video","length":1}]"#.utf8)
        let known = try readKnown(json)
        #expect(known.messages.count == 1)
        #expect(known.skipped == [#"[1].type: unknown kind "video"; known are "text", "picture", "thread""#])
        let decoder = JSONDecoder()
        decoder.userInfo[.unknownKinds] = UnknownKinds(.keep)
        let kept = try decoder.decode(PolymorphicArray<MessageKind>.self, from: json).values
        #expect((kept.last as? KeptObject)?["length"] == .integer(1))
    }

    @Test(
        "the article's errors are those that are thrown",
        arguments: [#"{"type":"video"}"#, #"{"type":7}"#, #"{"text":"x"}"#])
    func errors(answer: String) throws {
        let json = #"[\#(Self.text),{"type":"thread","first":\#(Self.text),"answers":[\#(answer)]}]"#
        let error = #expect(throws: PolymorphicDecodingError.self) { try read(Data(json.utf8)) }
        let article = try lines(of: "Sources/PolymorphicCodable/PolymorphicCodable.docc/PolymorphicCodable.md")
        #expect(article.contains(try #require(error?.description)))
    }

    @Test("another name for the discriminator is one line")
    func otherName() throws {
        let json = Data(#"[{"kind":"text","text":"a"}]"#.utf8)
        #expect(try JSONDecoder().decode(PolymorphicArray<NoteKind>.self, from: json).values.count == 1)
    }

    /// The lines of a file of the package, without their indentation.
    private func lines(of path: String) throws -> [String] {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        let file = (here + [Substring(path)]).joined(separator: "/")
        let bytes = try #require(FileManager.default.contents(atPath: file))
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }) }
    }

    private func blocks(in lines: [String]) -> [[String]] {
        lines.split(separator: "```swift").dropFirst().compactMap { $0.split(separator: "```").first.map(Array.init) }
    }
}
