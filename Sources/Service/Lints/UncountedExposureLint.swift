internal import Configuration

/// An A/B test below a memory: it is asked for whole arms there and not for subjects, and so has no exposures to log.
struct UncountedExposureLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("memory").flatMap { memory in
            memory.providersBelow(stoppingAt: ["memory"]).compactMap { test in
                guard test.isProvider("ab_test"), let sink = test.settings.given("sink") else { return nil }
                return Diagnostic(
                    .warning, at: sink.position,
                    "no exposures get here: \(memory.called) above asks for many subjects at once; put the ab_test "
                        + "above the memory")
            }
        }
    }
}
