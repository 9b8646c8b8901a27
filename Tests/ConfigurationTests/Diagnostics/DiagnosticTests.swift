import Configuration
import Testing

struct DiagnosticTests {
    @Test("a diagnostic reads like a compiler's")
    func aDiagnosticReadsLikeACompilers() {
        let position = SourcePosition(file: "config/larder.yaml", line: 14, column: 7)
        let problem = Diagnostic(.error, at: position, "unknown key \"tll\" in \"memory\"", suggestion: "ttl")
        #expect(
            problem.description
                == #"config/larder.yaml:14:7: error: unknown key "tll" in "memory"; did you mean "ttl"?"#)
    }

    @Test("problems are sorted by position, errors first")
    func problemsAreSorted() {
        let places = [(2, 1), (1, 9), (10, 1), (1, 10)].map { SourcePosition(file: "f", line: $0.0, column: $0.1) }
        let problems = places.map { Diagnostic(.error, at: $0, "m") } + [Diagnostic(.warning, at: places[1], "a")]
        #expect(
            ConfigurationError(problems).description.split(separator: "\n")
                == [
                    "f:1:9: error: m", "f:1:9: warning: a", "f:1:10: error: m", "f:2:1: error: m", "f:10:1: error: m",
                ])
    }
}
