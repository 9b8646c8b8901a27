/// Collects the problems of one check.
///
/// A part of the tree that an alias repeats is read as often as it is used; equal problems count once.
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
