import PolymorphicCodable

/// A family that keeps no unknown kinds, and whose kinds share a type.
protocol Tool: Codable, Sendable {}

enum ToolKind: String, PolymorphicFamily {
    case hammer, mallet, saw, number, row

    typealias Base = any Tool

    var type: any Decodable.Type {
        switch self {
        case .hammer, .mallet: Hammer.self
        case .saw: Saw.self
        case .number: Int.self
        case .row: [Int].self
        }
    }
}

extension Int: Tool {}

extension [Int]: Tool {}

/// A tool of two kinds, which writes its own or none.
struct Hammer: Tool {
    var type: String?
}

/// A tool that writes what it is told where the discriminator belongs.
struct Saw: Tool {
    var type: Mark

    enum Mark {
        case text(String)
        case number(Int)
        case list([String])
        case nothing
        case nested
    }

    private enum CodingKeys: String, CodingKey {
        case type, teeth
    }

    init(_ type: Mark) { self.type = type }

    init(from decoder: any Decoder) throws { type = .nothing }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch type {
        case .text(let text): try container.encode(text, forKey: .type)
        case .number(let number): try container.encode(number, forKey: .type)
        case .list(let list): try container.encode(list, forKey: .type)
        case .nothing: try container.encodeNil(forKey: .type)
        case .nested:
            var nested = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .type)
            try nested.encode(1, forKey: .teeth)
        }
    }
}
