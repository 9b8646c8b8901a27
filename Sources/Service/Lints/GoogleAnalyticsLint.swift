internal import Analytics
internal import Configuration

/// Events that Google Analytics would lose without a word, where that is among the sinks that they get to.
struct GoogleAnalyticsLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("analytics").filter { $0.sinks.contains { $0.type == "google_analytics" } }
            .flatMap { node -> [Diagnostic] in
                let entries = node.settings.given("parameters")?.entries ?? []
                return problems(withEvent: node) + count(of: entries) + entries.flatMap(problems)
            }
    }

    private func problems(withEvent node: ComponentOutline) -> [Diagnostic] {
        guard let event = node.settings.given("event"), !event.isBroken,
            let problem = event.text.flatMap(GoogleAnalyticsName.event.problem)
        else { return [] }
        return [
            Diagnostic(.error, at: event.position, "Google Analytics drops an event named \(event.found): \(problem)")
        ]
    }

    private func count(of entries: [ConfigNode.Entry]) -> [Diagnostic] {
        guard entries.count > GoogleAnalyticsLimits.parameters else { return [] }
        return [
            Diagnostic(
                .error, at: entries[GoogleAnalyticsLimits.parameters].keyPosition,
                "Google Analytics takes \(GoogleAnalyticsLimits.parameters) parameters of an event, and drops the others"
            )
        ]
    }

    private func problems(with entry: ConfigNode.Entry) -> [Diagnostic] {
        let name = GoogleAnalyticsName.parameter.problem(entry.key).map {
            Diagnostic(
                .error, at: entry.keyPosition,
                "Google Analytics drops a parameter named \"\(entry.writtenKey)\": \($0)")
        }
        let isLong = entry.value.text.map(GoogleAnalyticsLimits.isTooLong) ?? false
        let value =
            isLong
            ? Diagnostic(
                .warning, at: entry.value.position,
                "Google Analytics is sent the first \(GoogleAnalyticsLimits.value) characters of this") : nil
        return [name, value].compactMap(\.self)
    }
}
