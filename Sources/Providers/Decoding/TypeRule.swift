internal import JSON

/// How the kind of an item is found.
public enum TypeRule: Sendable {
    /// Every item is of this kind.
    case constant(String)
    /// The first value at one of the paths, translated by `map`; `otherwise` where the map has no entry, or else the
    /// value itself.
    case path(PathAlternatives, map: [String: String], otherwise: String?)

    /// The name of the item's kind.
    func kind(of item: JSONValue) throws(ItemProblem) -> String {
        switch self {
        case .constant(let kind): return kind
        case .path(let paths, let map, let otherwise):
            let found = paths.value(in: item)
            if let value = found.flatMap(Self.text) { return map[value] ?? otherwise ?? value }
            if let otherwise { return otherwise }
            guard let found, let path = paths.path(in: item) else {
                throw ItemProblem(ours: OwnForm.type, theirs: paths.description, problem: "missing")
            }
            let problem = ValueProblem(expected: "a string, a number or a boolean", found: found).problem
            throw ItemProblem(ours: OwnForm.type, theirs: path.description, problem: problem)
        }
    }

    /// What tells the kind, as the map's keys have it.
    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let string): string
        case .number(let number): number.literal
        case .bool(let bool): bool ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
