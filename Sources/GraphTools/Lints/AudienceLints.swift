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

/// A store in which is kept what only some requests are shown, and which others read or write as well: they are shown
/// what is meant for somebody else, and each replaces what the other has kept.
struct SharedStoreLint: Lint {
    /// That requests get to the user of a store, but never to one who writes it.
    private struct Mixture {
        let user: ComponentOutline
        let writer: ComponentOutline
    }

    func problems(in graph: LintedGraph) -> [Diagnostic] {
        let shared = Dictionary(grouping: graph.components.filter { $0.store != nil }) { $0.store?.place }.values
            .filter { $0.count > 1 && $0.contains { $0.isProvider("caching") } }
        guard !shared.isEmpty else { return [] }
        let found = RequestView.all(in: graph).flatMap { view in shared.flatMap { mixtures(in: view, among: $0) } }
        let told = found.filter { mixture in !found.contains { isTold(mixture, by: $0) } }
        return Dictionary(told.map { ($0.user.id, problem($0)) }) { first, _ in first }.map(\.value)
    }

    private func mixtures(in view: RequestView, among users: [ComponentOutline]) -> [Mixture] {
        guard let writer = users.first(where: { $0.isProvider("caching") && view.lacks($0) }) else { return [] }
        return users.filter(view.has).map { Mixture(user: $0, writer: writer) }
    }

    /// Two writers mix with each other; one message, at the second, is enough for both.
    private func isTold(_ mixture: Mixture, by other: Mixture) -> Bool {
        other.user.id == mixture.writer.id && other.writer.id == mixture.user.id
            && mixture.user.position < other.user.position
    }

    private func problem(_ mixture: Mixture) -> Diagnostic {
        Diagnostic(
            .error, at: mixture.user.settings.position(of: "store"),
            "what \(mixture.writer.called) keeps here is not for all requests that get to \(mixture.user.called); "
                + "give each a store of its own")
    }
}

extension ComponentOutline {
    /// The store that it reads or writes.
    fileprivate var store: ComponentOutline? { children.first { $0.outline.family == "store" }?.outline }

    /// What tells a store from others, however it is labelled.
    fileprivate var place: String { settings.text("directory") ?? id }
}
