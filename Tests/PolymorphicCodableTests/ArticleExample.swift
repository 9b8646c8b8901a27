// The code of the article `PolymorphicCodable.md`, all in one place as it is there.

import FoundationEssentials
import PolymorphicCodable

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
