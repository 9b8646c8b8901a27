internal import Configuration

/// A fallback to the provider that has just failed.
struct FutileFallbackLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("fallback").compactMap { fallback in
            let arms = fallback.providers.filter { ["primary", "secondary"].contains($0.role) }.map(\.outline)
            guard arms.count == 2, arms[0].id == arms[1].id else { return nil }
            return Diagnostic(
                .warning, at: fallback.settings.position(of: "secondary"),
                "\(arms[0].called) is \"primary\" as well, and has just failed; for another try there is \"retry\"")
        }
    }
}
