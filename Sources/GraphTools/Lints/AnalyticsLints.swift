internal import Analytics
internal import Configuration

/// Names of events that nobody can search for: in a file or a log they are all that tells one event from another.
struct EventNameLint: Lint {
    private static let longest = 100

    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("analytics").compactMap { $0.settings.given("event") }.compactMap { event in
            guard !event.isBroken, let problem = event.text.flatMap(problem) else { return nil }
            return Diagnostic(.warning, at: event.position, "the event's name \(problem)")
        }
    }

    private func problem(_ name: String) -> String? {
        if name.allSatisfy(\.isWhitespace) { return "is empty" }
        if name.count > Self.longest { return "has more than \(Self.longest) characters" }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "has control characters"
        }
        return name.first?.isWhitespace == true || name.last?.isWhitespace == true
            ? "has white space around it" : nil
    }
}

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
