import FoundationEssentials
import PolymorphicCodable
import Testing

// The code of the article `PolymorphicCodable.md`, all in one place as it is there.

protocol Message: Codable {}

struct TextMessage: Message {
    var text: String
}

struct PictureMessage: Message {
    var url: String
    var width: Int
}

enum MessageKind: String, PolymorphicFamily {
    case text, picture, thread

    typealias Base = any Message

    var type: any Decodable.Type {
        switch self {
        case .text: TextMessage.self
        case .picture: PictureMessage.self
        case .thread: ThreadMessage.self
        }
    }
}

struct ThreadMessage: Message {
    var first: any Message
    var answers: [any Message]
    var pinned: (any Message)?

    enum CodingKeys: String, CodingKey {
        case first, answers, pinned
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        first = try container.decodePolymorphic(MessageKind.self, forKey: .first)
        answers = try container.decodePolymorphic([MessageKind].self, forKey: .answers)
        pinned = try container.decodePolymorphicIfPresent(MessageKind.self, forKey: .pinned)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodePolymorphic(first, as: MessageKind.self, forKey: .first)
        try container.encodePolymorphic(answers, as: MessageKind.self, forKey: .answers)
        try container.encodePolymorphicIfPresent(pinned, as: MessageKind.self, forKey: .pinned)
    }
}

func read(_ json: Data) throws -> [any Message] {
    try JSONDecoder().decode(PolymorphicArray<MessageKind>.self, from: json).values
}

func write(_ messages: [any Message]) throws -> Data {
    try JSONEncoder().encode(PolymorphicArray<MessageKind>(messages))
}

/// A family with another name for its discriminator, and no other need.
enum NoteKind: String, PolymorphicFamily {
    case text

    typealias Base = any Message

    enum Discriminator: String, CodingKey, CaseIterable { case kind }

    var type: any Decodable.Type { TextMessage.self }
}

func readKnown(_ json: Data) throws -> (messages: [any Message], skipped: [String]) {
    let skipped = SkippedKinds()
    let decoder = JSONDecoder()
    decoder.userInfo[.unknownKinds] = UnknownKinds(.skip, skipped: skipped)
    let messages = try decoder.decode(PolymorphicArray<MessageKind>.self, from: json).values
    return (messages, skipped.all.map(\.description))
}

extension KeptObject: Message {}

extension MessageKind: KeepingPolymorphicFamily {
    static var keptType: any Decodable.Type { KeptObject.self }
}

struct ArticleTests {
    private static let text = #"{"type":"text","text":"hello"}"#
    private static let json = #"[\#(text),{"type":"picture","url":"a.png","width":640}]"#

    @Test func `every block of code in the article is compiled, and run by these tests`() throws {
        let code = try lines(of: "Tests/PolymorphicCodableTests/ArticleTests.swift")
        let blocks = try blocks(
            in: lines(of: "Sources/PolymorphicCodable/PolymorphicCodable.docc/PolymorphicCodable.md"))
        #expect(blocks.count == 7)
        for block in blocks {
            #expect(code.contains(block), "\(block.joined(separator: "\n"))")
        }
    }

    @Test func `what the article reads, it writes`() throws {
        let messages = try read(Data(Self.json.utf8))
        #expect((messages.first as? TextMessage)?.text == "hello")
        #expect((messages.last as? PictureMessage)?.width == 640)
        let thread = #"[{"type":"thread","first":\#(Self.text),"answers":\#(Self.json)}]"#
        let again = try read(write(read(Data(thread.utf8))))
        #expect((again.first as? ThreadMessage)?.first is TextMessage)
        #expect((again.first as? ThreadMessage)?.answers.count == 2)
    }

    @Test func `the article's policies do what it says of them`() throws {
        let json = Data(#"[{"type":"text","text":"a"},{"type":"video","length":1}]"#.utf8)
        let known = try readKnown(json)
        #expect(known.messages.count == 1)
        #expect(known.skipped == [#"[1].type: unknown kind "video"; known are "text", "picture", "thread""#])
        let decoder = JSONDecoder()
        decoder.userInfo[.unknownKinds] = UnknownKinds(.keep)
        let kept = try decoder.decode(PolymorphicArray<MessageKind>.self, from: json).values
        #expect((kept.last as? KeptObject)?["length"] == .integer(1))
    }

    @Test(arguments: [#"{"type":"video"}"#, #"{"type":7}"#, #"{"text":"x"}"#])
    func `the article's errors are those that are thrown`(answer: String) throws {
        let json = #"[\#(Self.text),{"type":"thread","first":\#(Self.text),"answers":[\#(answer)]}]"#
        let error = #expect(throws: PolymorphicDecodingError.self) { try read(Data(json.utf8)) }
        let article = try lines(of: "Sources/PolymorphicCodable/PolymorphicCodable.docc/PolymorphicCodable.md")
        #expect(article.contains(try #require(error?.description)))
    }

    @Test func `another name for the discriminator is one line`() throws {
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
