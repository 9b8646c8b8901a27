internal import Configuration

/// Pages whose number nobody tells: a page that comes too short by a mistake is taken for the last.
struct UncountedPagesLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.components.filter { $0.family == "pagination" }.compactMap { pagination in
            let counts =
                switch pagination.type {
                case "page": ["pages", "total"]
                case "offset": ["total"]
                default: [] as [String]
                }
            guard let first = counts.first, counts.allSatisfy({ pagination.settings.given($0) == nil }) else {
                return nil
            }
            let words = counts.count > 1 ? "neither \"pages\" nor \"total\"" : "no \"\(first)\""
            return Diagnostic(
                .warning, at: pagination.position,
                "with \(words), a page that is too short counts as the last, and the rest of the catalogue is lost")
        }
    }
}
