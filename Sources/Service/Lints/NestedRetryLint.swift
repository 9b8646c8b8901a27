internal import Configuration

/// Retries within retries multiply: an upstream that fails is asked more often, the worse it fares.
struct NestedRetryLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("retry").flatMap { outer in
            outer.providersBelow(stoppingAt: []).filter { $0.isProvider("retry") && $0.id != outer.id }
                .map { inner in problem(inner, within: outer) }
        }
    }

    private func problem(_ inner: ComponentOutline, within outer: ComponentOutline) -> Diagnostic {
        var message = "a retry within \(outer.called)"
        if let more = outer.settings.integer("attempts"), let tries = inner.settings.integer("attempts"),
            (1...10).contains(more), (1...10).contains(tries)
        {
            message += " makes up to \(more * tries) tries of one request"
        } else {
            message += " multiplies the tries of one request"
        }
        return Diagnostic(.warning, at: inner.position, message + "; keep one of the two")
    }
}
