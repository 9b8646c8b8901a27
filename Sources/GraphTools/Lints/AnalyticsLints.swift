internal import Analytics
internal import Configuration

/// Reports events and parameters that Google Analytics would silently drop, if it is among the sinks of a node.
struct GoogleAnalyticsLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        graph.providers("analytics").filter { Self.hasGoogleSink($0) }
            .flatMap { node -> [Diagnostic] in
                let entries = node.settings.given("parameters")?.entries ?? []
                return problems(withEvent: node) + count(of: entries) + entries.flatMap(problems)
            }
    }

    /// Whether events reach such a sink, directly or through other sinks.
    private static func hasGoogleSink(_ node: ComponentOutline) -> Bool {
        node.children.contains { child in
            child.outline.family == "sink" && child.outline.all.contains { $0.type == "google_analytics" }
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

/// Warns of an experiment below a memory, which requests only refreshes, and not the responses that clients are shown.
struct UncountedExperimentLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        var reported: Set<String> = []
        return graph.providers("memory").flatMap { memory in
            memory.providersBelow(stoppingAt: []).compactMap { test in
                guard test.isProvider("ab_test"), test.settings.given("sink") != nil, reported.insert(test.id).inserted
                else { return nil }
                return Diagnostic(
                    .warning, at: test.settings.position(of: "sink"),
                    "\(memory.called) asks \(test.called) for refreshes only, so that no experiment_exposure is ever "
                        + "sent; put \"ab_test\" above it, with a memory in each arm")
            }
        }
    }
}
