public import JSON

/// How the kind of an item is found.
public enum TypeRule: Sendable {
    /// Every item is of this kind.
    case constant(String)
    /// The value at `path`, translated by `map`; `otherwise` where the map has no entry, or else the value itself.
    case path(JSONPath, map: [String: String], otherwise: String?)

    /// The name of the item's kind; `nil` when there is nothing to tell it by.
    func kind(of item: JSONValue) -> String? {
        switch self {
        case .constant(let kind): return kind
        case .path(let path, let map, let otherwise):
            guard let value = item[path].flatMap(text) else { return otherwise }
            return map[value] ?? otherwise ?? value
        }
    }

    private func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let string): string
        case .number(let number): number.literal
        case .bool(let bool): bool ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
