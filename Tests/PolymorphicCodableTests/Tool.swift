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
