import Testing

/// A bad config and the lines that describe its problems.
struct BadConfig: Sendable, CustomTestStringConvertible {
    let name: String
    let yaml: String
    let problems: [String]

    init(_ name: String, _ yaml: String, _ problems: String...) {
        self.name = name
        self.yaml = yaml
        self.problems = problems
    }

    var testDescription: String { name }

    static let all = syntax + keys + values + components + references
}
