public import JSON

/// Where a value may be, in order of preference; there is one place at least.
public struct PathAlternatives: Sendable, Hashable {
    /// All places, in order.
    public let paths: [JSONPath]

    /// The only place there is.
    public init(_ path: JSONPath) {
        paths = [path]
    }

    /// Alternatives; nil without any.
    public init?(_ paths: [JSONPath]) {
        guard !paths.isEmpty else { return nil }
        self.paths = paths
    }

    /// The first value that is there and not null.
    func value(in item: JSONValue) -> JSONValue? {
        for path in paths {
            if let value = item[path], !value.isNull { return value }
        }
        return nil
    }

    /// Where that value is.
    func path(in item: JSONValue) -> JSONPath? {
        paths.first { item[$0].map { !$0.isNull } ?? false }
    }
}

extension PathAlternatives: CustomStringConvertible {
    /// The paths as messages have them: `preciseAmount or centAmount`.
    public var description: String { paths.map(\.description).joined(separator: " or ") }
}
