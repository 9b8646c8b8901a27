import FoundationEssentials
import PolymorphicCodable
import Testing

// The code of the article `PolymorphicCodable.md`, all in one place as it is there. `make check-library` builds it in a
// package of its own.

class Message: PolymorphicBaseClass {
    enum Kinds: String, PolymorphicFamily {
        case text, picture

        typealias Base = Message

        var type: any Decodable.Type {
            switch self {
            case .text: TextMessage.self
            case .picture: PictureMessage.self
            }
        }
    }

    let sender: String

    private enum CodingKeys: String, CodingKey {
        case sender
    }

    init(from decoder: any Decoder) throws {
        sender = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .sender)
    }

    final func encode(to encoder: any Encoder) throws { try encodeAsKind(to: encoder) }

    func encodeMembers(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sender, forKey: .sender)
    }
}

final class TextMessage: Message, Decodable {
    let text: String

    private enum CodingKeys: String, CodingKey {
        case text
    }

    override init(from decoder: any Decoder) throws {
        text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
        try super.init(from: decoder)
    }

    override func encodeMembers(to encoder: any Encoder) throws {
        try super.encodeMembers(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(text, forKey: .text)
    }
}

final class PictureMessage: Message, Decodable {
    let url: String

    private enum CodingKeys: String, CodingKey {
        case url
    }

    override init(from decoder: any Decoder) throws {
        url = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .url)
        try super.init(from: decoder)
    }

    override func encodeMembers(to encoder: any Encoder) throws {
        try super.encodeMembers(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
    }
}

struct Conversation: Codable {
    @PolymorphicValue var first: Message
    @PolymorphicValue var pinned: Message?
    @PolymorphicValue var answers: [Message]
    @PolymorphicValue var drafts: [String: Message]
}

final class Archive: Codable {
    let first: Message
    let pinned: Message?
    let answers: [Message]

    private enum CodingKeys: String, CodingKey {
        case first, pinned, answers
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        first = try container.decodePolymorphic(Message.self, forKey: .first)
        pinned = try container.decodePolymorphicIfPresent(Message.self, forKey: .pinned)
        answers = try container.decodePolymorphic([Message].self, forKey: .answers)
    }
}

func read(_ json: Data) throws -> [Message] {
    try JSONDecoder().decode(PolymorphicValue<[Message]>.self, from: json).wrappedValue
}

func write(_ messages: [Message]) throws -> Data {
    try JSONEncoder().encode(messages)
}

protocol Payment {}

struct CardPayment: Payment, Codable {
    var number: String
}

struct Invoice: Payment, Codable {
    var address: String
    var days: Int
}

enum PaymentKind: String, PolymorphicFamily {
    case card, invoice

    typealias Base = any Payment

    var type: any Decodable.Type {
        switch self {
        case .card: CardPayment.self
        case .invoice: Invoice.self
        }
    }
}

struct Order: Codable {
    @Polymorphic<PaymentKind> var payment: any Payment
    @Polymorphic<PaymentKind?> var deposit: (any Payment)?
    @Polymorphic<[PaymentKind]> var refunds: [any Payment]
    @Polymorphic<[String: PaymentKind]> var saved: [String: any Payment]
}

struct Account: Codable {
    var payments: [any Payment]

    private enum CodingKeys: String, CodingKey {
        case payments
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        payments = try container.decodePolymorphic([PaymentKind].self, forKey: .payments)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodePolymorphic(payments, as: [PaymentKind].self, forKey: .payments)
    }
}

func readKnown(_ json: Data) throws -> [Message] {
    let decoder = JSONDecoder()
    decoder.userInfo[.unknownKinds] = UnknownKinds(.skip) { print("skipped \($0)") }
    return try decoder.decode(PolymorphicValue<[Message]>.self, from: json).wrappedValue
}

extension KeptObject: Payment {}

extension PaymentKind: KeepingPolymorphicFamily {
    static var keptType: any Decodable.Type { KeptObject.self }
}

struct ArticleTests {
    private static let article = "Sources/PolymorphicCodable/PolymorphicCodable.docc/PolymorphicCodable.md"
    private static let text = #"{"type":"text","sender":"Ann","text":"hello"}"#
    private static let messages = #"[\#(text),{"type":"picture","sender":"Bo","url":"a.png"}]"#

    @Test func `every block of code in the article is compiled, and run by these tests`() throws {
        let code = try lines(of: "Tests/PolymorphicCodableTests/ArticleTests.swift")
        let blocks = try blocks(in: lines(of: Self.article))
        #expect(blocks.count == 9)
        for block in blocks {
            #expect(code.contains(block), "\(block.joined(separator: "\n"))")
        }
    }

    @Test func `messages at the root are written as they were read`() throws {
        let messages = try read(Data(Self.messages.utf8))
        #expect(messages.map { "\(type(of: $0))" } == ["TextMessage", "PictureMessage"])
        #expect(try same(write(messages), Self.messages))
    }

    @Test(arguments: ["", #","pinned":\#(text)"#])
    func `a conversation's synthesised coding and an archive's are right both ways`(pinned: String) throws {
        let members = #""first":\#(Self.text),"answers":\#(Self.messages)\#(pinned)"#
        let json = #"{\#(members),"drafts":{"Ann":\#(Self.text)}}"#
        let conversation = try JSONDecoder().decode(Conversation.self, from: Data(json.utf8))
        #expect((conversation.first as? TextMessage)?.text == "hello")
        #expect((conversation.answers.last as? PictureMessage)?.url == "a.png")
        #expect((conversation.pinned == nil) == pinned.isEmpty)
        #expect(try same(JSONEncoder().encode(conversation), json))
        let archive = try JSONDecoder().decode(Archive.self, from: Data("{\(members)}".utf8))
        #expect(try same(JSONEncoder().encode(archive), "{\(members)}"))
    }

    @Test(arguments: ["", #","deposit":{"type":"card","number":"1"}"#])
    func `an order's synthesised coding and an account's are right both ways`(deposit: String) throws {
        let invoice = #"{"type":"invoice","address":"here","days":30}"#
        let order = #"{"payment":\#(invoice),"refunds":[\#(invoice)],"saved":{"home":\#(invoice)}\#(deposit)}"#
        #expect(try same(again(Order.self, order), order))
        let account = #"{"payments":[\#(invoice)]}"#
        #expect(try same(again(Account.self, account), account))
    }

    @Test func `a protocol's values do not compile where they would lose their discriminator`() {
        #expect(!((any Payment).self is any Encodable.Type) && !(Message.self is any Decodable.Type))
    }

    @Test func `the article's policies do as it says`() throws {
        let messages = try readKnown(Data(#"[\#(Self.text),{"type":"video","length":1}]"#.utf8))
        #expect(messages.count == 1)
        let decoder = JSONDecoder()
        decoder.userInfo[.unknownKinds] = UnknownKinds(.keep)
        let payments = try decoder.decode(
            Polymorphic<[PaymentKind]>.self, from: Data(#"[{"type":"coins","count":7}]"#.utf8))
        #expect((payments.wrappedValue.first as? KeptObject)?["count"] == .integer(7))
    }

    @Test(arguments: [#"{"type":"video"}"#, #"{"type":7}"#, #"{"text":"x"}"#])
    func `the article's errors are those that are thrown`(answer: String) throws {
        let json = #"{"first":\#(Self.text),"answers":[\#(Self.text),\#(answer)]}"#
        let error = #expect(throws: PolymorphicDecodingError.self) {
            try JSONDecoder().decode(Archive.self, from: Data(json.utf8))
        }
        #expect(try lines(of: Self.article).contains(try #require(error?.description)))
    }

    private func again<Value: Codable>(_ type: Value.Type, _ json: String) throws -> Data {
        try JSONEncoder().encode(JSONDecoder().decode(type, from: Data(json.utf8)))
    }

    /// Whether both are the same JSON, in whatever order their members are.
    private func same(_ data: Data, _ json: String) throws -> Bool {
        let decoder = JSONDecoder()
        return try decoder.decode(KeptValue.self, from: data) == decoder.decode(KeptValue.self, from: Data(json.utf8))
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
