/// One problem of a config file, with its place and severity, and a suggestion.
public struct Diagnostic: Sendable, Hashable {
    /// Whether the config can be used despite the problem.
    public enum Severity: String, Sendable, Hashable {
        /// The config cannot be used.
        case error
        /// The config can be used, but is probably not as intended.
        case warning
    }

    /// The severity.
    public let severity: Severity
    /// The place.
    public let position: SourcePosition
    /// The fault, in one sentence without a full stop. Never contains the value of a secret.
    public let message: String
    /// The probable intention, as written in the file.
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

/// A place in a config file.
///
/// Lines and columns count from 1, columns in Unicode scalars as editors and libyaml do. Line 0 stands for the whole
/// file, for problems such as a file that cannot be read.
public struct SourcePosition: Sendable, Hashable, Comparable {
    /// The file's path, as the user gave it.
    public let file: String
    /// The line, from 1; 0 for the whole file.
    public let line: Int
    /// The column, from 1; 0 for the whole file.
    public let column: Int

    /// The position of `file` as a whole.
    public static func whole(_ file: String) -> SourcePosition {
        SourcePosition(file: file, line: 0, column: 0)
    }

    /// Orders by file, then line, then column.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

extension SourcePosition: CustomStringConvertible {
    /// `config/larder.yaml:14:7`, or the file alone for the whole file.
    public var description: String {
        line == 0 ? file : "\(file):\(line):\(column)"
    }
}

/// Collects the problems of one check.
///
/// A part of the tree that aliases repeat is read several times; equal problems count once.
final class DiagnosticLog {
    private var problems: Set<Diagnostic>

    init(_ problems: [Diagnostic] = []) {
        self.problems = Set(problems)
    }

    var sorted: [Diagnostic] { problems.sorted() }

    var hasErrors: Bool { problems.contains { $0.severity == .error } }

    func add(_ problem: Diagnostic) {
        problems.insert(problem)
    }

    func error(at position: SourcePosition, _ message: String, suggestion: String? = nil) {
        add(Diagnostic(.error, at: position, message, suggestion: suggestion))
    }
}

/// A config that cannot be used, with all problems found.
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
