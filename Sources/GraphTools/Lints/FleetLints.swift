internal import Configuration
internal import Text
internal import Wiring

/// Warns of a shared store that no `caching` fills, and reports one that two of them fill with different catalogues.
struct FleetCatalogueLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        let savers = graph.providers("caching").sorted { $0.position < $1.position }
        if savers.contains(where: { $0.store?.isUnreadable != false }) { return [] }
        return Dictionary(grouping: graph.filter(\.isSharedStore), by: \.place).values.flatMap { stores in
            let place = stores[0].place
            let own = savers.filter { $0.store?.place == place }
            guard let first = own.first else {
                return stores.map { store in
                    Diagnostic(
                        .warning, at: store.position,
                        "no \"caching\" has this shared store, so it stays empty, and nothing is read from it")
                }
            }
            return own.dropFirst().map { second in
                Diagnostic(
                    .error, at: second.settings.position(of: "store"),
                    "\(first.called) shares its catalogue here already; give each a store with a \"name\" of its own")
            }
        }
    }
}

/// Warns of a replica that stops following its fleet when it cannot reach the upstream itself.
struct FleetReachabilityLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        graph.providers("reachability").compactMap { strategy in
            let below = strategy.providersBelow(stoppingAt: []).filter(\.sharesCatalogue)
            guard let shared = below.min(by: { $0.position < $1.position }) else { return nil }
            return Diagnostic(
                .warning, at: strategy.position,
                "a replica without a way to the upstream would not ask \(shared.called), which others still refresh for it; "
                    + "use \"fallback\" here")
        }
    }
}

/// Warns of catalogues from other replicas that no gate of this replica checks.
struct FleetGateLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        graph.filter(\.sharesCatalogue).compactMap { caching in
            guard let upstream = caching.providers.first?.outline, !upstream.isProvider("validated"),
                !upstream.isUnreadable
            else { return nil }
            return Diagnostic(
                .warning, at: caching.settings.position(of: "upstream"),
                "what other replicas share is taken unchecked; put \"validated\" directly below \(caching.called)")
        }
    }
}

/// Warns of a lease that may end while the upstream is still responding, so that a second replica fetches as well.
struct FleetLeaseLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        let wait = LongestWait(graph)
        return graph.filter(\.sharesCatalogue).compactMap { caching in
            guard let store = caching.store, let lease = store.settings.duration("lease") else { return nil }
            let longest = caching.providers.map { wait($0.outline) }.max() ?? .zero
            guard longest > lease else { return nil }
            return Diagnostic(
                .warning, at: store.settings.position(of: "lease"),
                "the lease of \(DurationText.format(lease)) may end before \(caching.called) has its answer, which takes up to "
                    + DurationText.format(longest))
        }
    }
}

extension ComponentOutline {
    /// Whether this is a `caching` of a fleet's catalogue.
    fileprivate var sharesCatalogue: Bool { isProvider("caching") && store?.isSharedStore == true }
}
