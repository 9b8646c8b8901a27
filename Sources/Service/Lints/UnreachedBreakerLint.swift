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
