internal import Configuration

/// A circuit breaker that no failure of an upstream reaches: it never opens, or opens only when all else has failed.
struct UnreachedBreakerLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        let screens = graph.bottomUp { outline, below in
            Self.screen(outline, Dictionary(below.map { ($0.role, $0.value) }) { first, _ in first })
        }
        return graph.providers("circuit_breaker").compactMap { breaker in
            guard let below = breaker.providers.first?.outline, let screen = screens[below.id] ?? nil else {
                return nil
            }
            return Diagnostic(.warning, at: breaker.position, message(about: screen))
        }
    }

    private func message(about screen: ComponentOutline) -> String {
        screen.providers.isEmpty
            ? "the breaker never opens: \(screen.called) below asks no upstream that could fail"
            : "the breaker does not see the upstream fail, because \(screen.called) below answers all the same; put the "
                + "breaker below that"
    }

    /// What keeps the failures of upstreams from those who ask this provider; nil where they come through.
    private static func screen(_ outline: ComponentOutline, _ below: [String: ComponentOutline?]) -> ComponentOutline? {
        func child(_ role: String) -> ComponentOutline? { below[role] ?? nil }
        let screens = below.values.compactMap(\.self)
        switch outline.type {
        case "memory", "stored", "file": return outline
        case "http": return nil
        case "fault": return outline.settings.text("error") == "none" ? child("upstream") : nil
        case "fallback":
            if child("secondary") != nil, fallsBackOnAll(outline) { return child("primary") ?? outline }
            return child("primary")
        case "ab_test": return screens.count == below.count ? screens.first : screens.isEmpty ? nil : outline
        default: return screens.count == below.count ? screens.first : nil
        }
    }

    /// Whether a fallback catches everything that a breaker counts.
    private static func fallsBackOnAll(_ fallback: ComponentOutline) -> Bool {
        guard let given = fallback.settings.given("on") else { return true }
        return Set(["unreachable", "timeout", "status"]).isSubset(of: (given.elements ?? []).compactMap(\.text))
    }
}

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
