internal import Configuration

/// A memory that leaves a failing upstream alone for longer than it has anything to serve.
struct LongHoldOffLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("memory").compactMap { memory in
            guard let place = memory.settings.given("hold_off")?.position,
                let pause = memory.settings.duration("hold_off"), let fresh = memory.settings.duration("ttl"),
                let stale = memory.settings.duration("stale_if_error"), pause > fresh, pause - fresh > stale
            else { return nil }
            return Diagnostic(
                .warning, at: place,
                "hold_off is longer than ttl and stale_if_error together: after a failure nothing is asked, and then "
                    + "nothing is served")
        }
    }
}
