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
