internal import Configuration

/// A deadline above a circuit breaker that ends before what is below it: the breaker is told that nobody waits any more,
/// and never that the upstream is slow.
struct InterruptedBreakerLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        let wait = LongestWait(graph)
        return graph.providers("timeout").flatMap { deadline -> [Diagnostic] in
            guard let limit = deadline.settings.duration("after") else { return [] }
            return deadline.providersBelow(stoppingAt: ["memory", "timeout"])
                .filter { $0.isProvider("circuit_breaker") }
                .compactMap { breaker in
                    let slowest = wait(breaker)
                    guard slowest >= limit else { return nil }
                    return Diagnostic(.warning, at: breaker.position, message(deadline, limit, slowest))
                }
        }
    }

    private func message(_ deadline: ComponentOutline, _ limit: Duration, _ slowest: Duration) -> String {
        """
        the breaker never sees the upstream time out: after \(DurationText.format(limit)) \(deadline.called) ends what \
        may take \(DurationText.format(slowest)) below; put the timeout below the breaker
        """
    }
}
