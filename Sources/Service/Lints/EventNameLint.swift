internal import Configuration

/// Names of events and parameters, and values, that Google Analytics drops. Other sinks take them, but a name in use is
/// hard to change by the day events are to go there as well.
struct EventNameLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("analytics").flatMap { node -> [Diagnostic] in
            let event = node.settings.given("event").flatMap { problem(with: $0, AnalyticsName.event) }
            let entries = node.settings.given("parameters")?.entries ?? []
            return [event].compactMap(\.self) + count(of: entries) + entries.flatMap(problems)
        }
    }

    private func problem(with event: ConfigNode, _ kind: AnalyticsName) -> Diagnostic? {
        guard !event.isBroken, let problem = event.text.flatMap(kind.problem) else { return nil }
        return Diagnostic(
            .warning, at: event.position, "Google Analytics drops an event named \(event.found): \(problem)")
    }

    private func count(of entries: [ConfigNode.Entry]) -> [Diagnostic] {
        guard entries.count > AnalyticsName.mostParameters else { return [] }
        return [
            Diagnostic(
                .warning, at: entries[AnalyticsName.mostParameters].keyPosition,
                "Google Analytics takes \(AnalyticsName.mostParameters) parameters of an event, and drops the others")
        ]
    }

    private func problems(with entry: ConfigNode.Entry) -> [Diagnostic] {
        let name = AnalyticsName.parameter.problem(entry.key).map {
            Diagnostic(
                .warning, at: entry.keyPosition,
                "Google Analytics drops a parameter named \"\(entry.writtenKey)\": \($0)")
        }
        let isLong = (entry.value.text?.count ?? 0) > AnalyticsName.longestValue
        let value =
            isLong
            ? Diagnostic(
                .warning, at: entry.value.position,
                "Google Analytics drops a parameter with more than \(AnalyticsName.longestValue) characters") : nil
        return [name, value].compactMap(\.self)
    }
}
