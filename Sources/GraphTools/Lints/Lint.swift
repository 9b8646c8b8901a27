package import Configuration

/// A check of the graph as a whole, for mistakes that no single component can detect.
protocol Lint: Sendable {
    /// Returns the problems that the lint finds, in any order.
    ///
    /// Lints also run on graphs with errors. A field that cannot be read may contain any text. So a lint ignores
    /// settings that it cannot parse, and the children that an unreadable component lacks.
    ///
    /// - Parameter graph: every component, each once, the root first.
    func problems(in graph: [ComponentOutline]) -> [Diagnostic]
}

/// All lints that a config's graph is checked against.
package enum Lints {
    static let all: [any Lint] = [
        NestedRetryLint(), TightDeadlineLint(), ConnectTimeoutLint(), ForeignPortLint(), UnkeptMemoryLint(),
        OverlayStoreLint(),
        UncomparedSaveLint(), ForeignBaselineLint(), UncountedPagesLint(), SharedStoreLint(), GoogleAnalyticsLint(),
        PlainSecretLint(), PlainTransportLint(), PublicAttributesLint(), FleetCatalogueLint(), FleetReachabilityLint(),
        FleetGateLint(),
        FleetLeaseLint(), UncountedExperimentLint(),
    ]

    /// Returns the problems that all lints find in the graph below `root`, in any order.
    package static func problems(in root: ComponentOutline) -> [Diagnostic] {
        let graph = root.all
        return all.flatMap { $0.problems(in: graph) }
    }
}

extension [ComponentOutline] {
    /// The providers of a type.
    func providers(_ type: String) -> [ComponentOutline] {
        filter { $0.isProvider(type) }
    }
}

extension ComponentOutline {
    /// The providers directly below it.
    var providers: [Child] { children.filter { $0.outline.family == "provider" } }

    /// Whether this is a provider of a type.
    package func isProvider(_ type: String) -> Bool { family == "provider" && self.type == type }

    /// Every provider below it that is reachable without passing through one of these types; each once.
    package func providersBelow(stoppingAt types: Set<String>) -> [ComponentOutline] {
        var seen: Set<String> = []
        var found: [ComponentOutline] = []
        var open = providers
        while let next = open.popLast()?.outline {
            guard seen.insert(next.id).inserted else { continue }
            found.append(next)
            if !types.contains(next.type) { open += next.providers }
        }
        return found
    }

    /// The component's name in messages about another place: `memory "storefront"`, or `the memory at line 12`.
    var called: String {
        if let label { return "\(type) \"\(label)\"" }
        return position.line == 0 ? "the \(type)" : "the \(type) at line \(position.line)"
    }
}
