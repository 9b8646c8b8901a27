internal import Configuration

/// Tries that do not fit into a deadline above them: the last ones are called off, whatever they were about to bring.
struct TightDeadlineLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        let wait = LongestWait(graph)
        return graph.providers("timeout").flatMap { deadline -> [Diagnostic] in
            guard let limit = deadline.settings.duration("after") else { return [] }
            // What a memory asks for goes on when the one who asked has gone; an inner deadline is looked at by itself.
            return deadline.providersBelow(stoppingAt: ["memory", "timeout"]).filter { $0.isProvider("retry") }
                .compactMap { problem($0, under: deadline, limit, wait) }
        }
    }

    private func problem(
        _ retry: ComponentOutline, under deadline: ComponentOutline, _ limit: Duration, _ wait: LongestWait
    ) -> Diagnostic? {
        let tries = LongestWait.tries(of: retry)
        let single = retry.providers.map { wait($0.outline) }.max() ?? .zero
        guard tries > 1, single * tries > limit else { return nil }
        let message = """
            \(tries) tries of up to \(DurationText.format(single)) each do not fit into the \
            \(DurationText.format(limit)) of \(deadline.called)
            """
        return Diagnostic(.warning, at: retry.settings.position(of: "attempts"), message)
    }
}
