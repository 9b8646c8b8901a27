/// One problem of a config file: what, where, how bad, and what was probably meant.
public struct Diagnostic: Sendable, Hashable {
    /// Whether the config can be used in spite of the problem.
    public enum Severity: String, Sendable, Hashable {
        /// The config cannot be used.
        case error
        /// The config can be used, but hardly means what it says.
        case warning
    }

    /// How bad it is.
    public let severity: Severity
    /// Where it is.
    public let position: SourcePosition
    /// What is wrong, in one sentence without a full stop. Never holds the value of a secret.
    public let message: String
    /// What was probably meant, as it would stand in the file.
    public let suggestion: String?

    /// Creates a diagnostic.
    public init(_ severity: Severity, at position: SourcePosition, _ message: String, suggestion: String? = nil) {
        self.severity = severity
        self.position = position
        self.message = message
        self.suggestion = suggestion
    }
}

extension Diagnostic: CustomStringConvertible {
    /// `config/larder.yaml:14:7: error: unknown key "tll" in "memory"; did you mean "ttl"?`.
    public var description: String {
        let hint = suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
        return "\(position): \(severity.rawValue): \(message)\(hint)"
    }
}

extension Diagnostic: Comparable {
    /// Orders by position, then errors before warnings, then by message.
    public static func < (left: Diagnostic, right: Diagnostic) -> Bool {
        (left.position, left.severity.rawValue, left.message) < (right.position, right.severity.rawValue, right.message)
    }
}
