internal import Configuration

/// A strategy of which one arm is never chosen.
struct UnreachableArmLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.components.filter { $0.family == "provider" }.compactMap { outline in
            switch outline.type {
            case "ab_test": experiment(outline)
            case "reachability": reachability(outline)
            case "fallback": fallback(outline)
            default: nil
            }
        }
    }

    private func experiment(_ outline: ComponentOutline) -> Diagnostic? {
        let settings = outline.settings
        guard let share = settings.number("share_a"), share == 0 || share == 1 else { return nil }
        let (unreached, other) = share == 0 ? ("a", "b") : ("b", "a")
        return Diagnostic(
            .warning, at: settings.position(of: "share_a"),
            "no subject gets \"\(unreached)\", which only stands in where \"\(other)\" fails")
    }

    private func reachability(_ outline: ComponentOutline) -> Diagnostic? {
        let monitor = outline.children.first { $0.role == "monitor" }?.outline
        let unreached =
            switch monitor?.type {
            case "always": "local"
            case "never": "remote"
            default: nil as String?
            }
        return unreached.map { role in
            Diagnostic(
                .warning, at: outline.settings.position(of: "monitor"),
                "\"\(role)\" is never asked, because the monitor's answer is always the same")
        }
    }

    private func fallback(_ outline: ComponentOutline) -> Diagnostic? {
        guard let on = outline.settings.given("on"), on.elements?.isEmpty == true else { return nil }
        return Diagnostic(
            .warning, at: on.position, "\"secondary\" is never asked; without \"on\" it is on every failure")
    }
}
