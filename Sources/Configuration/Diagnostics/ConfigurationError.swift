/// A config that cannot be used, with every problem that was found in it.
public struct ConfigurationError: Error, Sendable {
    /// All problems, warnings included, sorted by position; never empty.
    public let diagnostics: [Diagnostic]

    /// Creates the error from problems in any order.
    public init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics.sorted()
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One line a problem.
    public var description: String {
        diagnostics.map(\.description).joined(separator: "\n")
    }
}
