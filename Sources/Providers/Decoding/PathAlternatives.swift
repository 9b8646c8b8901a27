public import JSON

/// Where a value may be, in order of preference.
public struct PathAlternatives: Sendable, Hashable {
    /// Where it is looked for first.
    public let first: JSONPath
    /// Where it is looked for after that, if there is none.
    public let others: [JSONPath]

    /// Alternatives, or the only place there is.
    public init(_ first: JSONPath, or others: [JSONPath] = []) {
        self.first = first
        self.others = others
    }

    /// All of them, in order.
    var all: [JSONPath] { [first] + others }

    /// The first value that is there and not null, and where it is.
    func found(in item: JSONValue) -> (value: JSONValue, path: JSONPath)? {
        if let value = item[first], !value.isNull { return (value, first) }
        for path in others {
            if let value = item[path], !value.isNull { return (value, path) }
        }
        return nil
    }
}

extension PathAlternatives: CustomStringConvertible {
    /// The paths as messages have them: `preciseAmount or centAmount`.
    public var description: String { all.map(\.description).joined(separator: " or ") }
}
