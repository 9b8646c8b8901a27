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

    /// The first value that is there and not null.
    func value(in item: JSONValue) -> JSONValue? {
        if let value = item[first], !value.isNull { return value }
        return others.isEmpty ? nil : path(in: item).flatMap { item[$0] }
    }

    /// Where that value is.
    func path(in item: JSONValue) -> JSONPath? {
        all.first { item[$0].map { !$0.isNull } ?? false }
    }
}

extension PathAlternatives: CustomStringConvertible {
    /// The paths as messages have them: `preciseAmount or centAmount`.
    public var description: String { all.map(\.description).joined(separator: " or ") }
}
