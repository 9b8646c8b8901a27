internal import Configuration

/// A circuit breaker below a `memory` that would need more failures in a row than the memory causes in a while: after
/// each one it leaves the upstream alone, so the ratio of the last 30 seconds never has its ten calls either.
struct PatientBreakerLint: Lint {
    /// Where a memory's pauses end.
    private static let longestPause: Duration = .seconds(30)
    private static let tooLong: Duration = .seconds(600)

    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("circuit_breaker").compactMap { breaker in
            guard let place = breaker.settings.given("failures")?.position,
                let failures = breaker.settings.integer("failures"), failures > 0,
                let (memory, tries) = memory(above: breaker, in: graph), memory.variations.isEmpty,
                let pause = memory.settings.duration("hold_off")
            else { return nil }
            let time = Self.time(of: failures / tries, from: pause)
            guard time > Self.tooLong else { return nil }
            return Diagnostic(
                .warning, at: place,
                "with the pauses of \(memory.called) above, \(failures) failures in a row take "
                    + (time < .seconds(86_400) ? DurationText.format(time) : "days"))
        }
    }

    /// The memory that alone causes all calls of a breaker, and how often each of its questions comes.
    private func memory(
        above breaker: ComponentOutline, in graph: LintedGraph
    ) -> (memory: ComponentOutline, tries: Int)? {
        var (outline, tries) = (breaker, 1)
        while let parent = graph.onlyParent(of: outline), tries < 10_000 {
            if parent.isProvider("memory") { return (parent, tries) }
            if parent.isProvider("retry") { tries *= LongestWait.tries(of: parent) }
            outline = parent
        }
        return nil
    }

    private static func time(of count: Int, from base: Duration) -> Duration {
        var (pause, total) = (base, Duration.zero)
        for _ in 0..<min(count, 10_000) {
            total += pause
            pause = max(base, min(pause * 2, longestPause))
        }
        return total
    }
}
