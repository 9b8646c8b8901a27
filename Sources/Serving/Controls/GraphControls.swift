internal import Concurrency
package import Configuration
internal import Fleet
internal import FoundationEssentials
package import Products
internal import Providers
internal import Wiring

/// Carries out operators' orders on one graph: refreshes, pins, and catalogues let through. Where its replicas share a
/// store, pins and accepted catalogues are those of the fleet.
package struct GraphControls: Sendable {
    package typealias Labelled<Component> = (label: String, component: Component)

    /// A provider that keeps answers.
    private struct Memory: Sendable {
        let label: String
        /// The number of components below it, in a row; memories that others are built on are refreshed before those.
        let height: Int
        let provider: any RefreshableProvider
        /// Whether replicas share a catalogue that it gets.
        let isShared: Bool
    }

    /// The longest time for which an order waits until memories give the catalogue that it is about.
    private static let patience = Duration.seconds(1)

    package let differences = GenerationDifferences()
    package let histories: [Labelled<any ProductsHistory>]
    private let gates: [Labelled<any QuarantiningProvider>]
    /// The stores that replicas share, each with the labels of the gates below it.
    private let shared: [(label: String, store: any SharedHistory, gates: Set<String>)]
    private let memories: [Memory]
    /// The labels of the stores whose newest generation some provider gives.
    private let served: Set<String>
    let look = StateLook()

    /// - Parameter assembly: the assembly in which the graph was made.
    package init(_ assembly: Assembly) {
        let providers = assembly.components(of: ProviderFamily.self).map { outline, instance in
            (label: outline.metricLabel, provider: instance.unobserved)
        }
        gates = providers.compactMap { label, provider in
            (provider as? any QuarantiningProvider).map { (label, $0) }
        }
        let stores = assembly.components(of: StoreFamily.self)
        let outlines = assembly.components(of: ProviderFamily.self).map(\.outline)
        shared = stores.compactMap { outline, instance in
            guard let store = instance as? any SharedHistory else { return nil }
            let users = outlines.filter { user in user.children.contains { $0.outline.id == outline.id } }
            let below = users.flatMap(\.all).map { $0.metricLabel }
            return (outline.metricLabel, store, Set(below))
        }
        let givers = outlines.filter(\.outlivesRestarts).flatMap(\.children).map(\.outline.id)
        served = Set(stores.map(\.outline).filter { givers.contains($0.id) }.map(\.metricLabel))
        let ids = Set(stores.filter { $0.instance is any SharedHistory }.map(\.outline.id))
        memories = assembly.components(of: ProviderFamily.self).compactMap { outline, instance in
            (instance.unobserved as? any RefreshableProvider).map { provider in
                Memory(
                    label: outline.metricLabel, height: outline.height, provider: provider,
                    isShared: outline.all.contains { ids.contains($0.id) })
            }
        }
        histories = stores.compactMap { outline, instance in
            (instance as? any ProductsHistory).map { (outline.metricLabel, $0) }
        }
    }

    /// Has one memory, or all of them, ask again; those below others first.
    /// - Throws: `unknownNode`, and `noMemory` when nothing in the graph keeps answers.
    package func refresh(_ order: RefreshOrder, node: String? = nil) async throws(OrderProblem) -> [NodeRefresh] {
        try check(node)
        // The news of a fleet is none for memories above other upstreams.
        let chosen = memories.filter { (node == nil || $0.label == node) && (!order.isNews || $0.isShared) }
        var results: [NodeRefresh] = []
        for height in Set(chosen.map(\.height)).sorted() {
            let level = chosen.filter { $0.height == height }
            results += await withTaskGroup(of: (Int, [NodeRefresh]).self) { group in
                for (index, memory) in level.enumerated() {
                    group.addTask {
                        let results = await memory.provider.refresh(order)
                        return (index, results.map { NodeRefresh(node: memory.label, result: $0) })
                    }
                }
                var found = Array(repeating: [NodeRefresh](), count: level.count)
                for await (index, results) in group { found[index] = results }
                return found.flatMap(\.self)
            }
        }
        return results
    }

    /// Throws as a refresh of this node would.
    package func check(_ node: String?) throws(OrderProblem) {
        if memories.isEmpty, node == nil { throw .noMemory }
        guard let node, !memories.contains(where: { $0.label == node }) else { return }
        throw .unknownNode(node, known: memories.map(\.label))
    }

    /// Pins a generation, and returns when all memories give it, or after a second.
    package func pin(
        _ target: HistoryTarget, store: String?, by order: OperatorOrder
    ) async throws(OrderProblem) -> (store: String, pin: CataloguePin, isInForce: Bool) {
        let history = try history(store)
        let pin = try await OrderProblem.reading(history.label, target.name) { () async throws(ProductsFailure) in
            try await history.component.pin(target, by: order)
        }
        return (history.label, pin, await swap() != nil)
    }

    /// Takes the pin off, and returns when all memories have asked for the newest catalogue, or after a second. One that
    /// gets none goes on with the pinned one.
    /// - Returns: `served` is what memories give now; nil where they have not asked in time.
    package func unpin(store: String?) async throws(OrderProblem) -> (
        store: String, pin: CataloguePin?, served: [NodeRefresh]?
    ) {
        let history = try history(store)
        let pin = try await OrderProblem.reading(history.label) { () async throws(ProductsFailure) in
            try await history.component.unpin()
        }
        return (history.label, pin, await swap())
    }

    /// Has all memories ask again.
    /// - Returns: what they give then; nil where they have not asked in time, and go on.
    private func swap() async -> [NodeRefresh]? {
        guard !memories.isEmpty else { return [] }
        let results = await firstOutcome(within: Self.patience) {
            try? await refresh(RefreshOrder(isForced: true, supersedes: true))
        }
        return results ?? nil
    }

    /// Whether the graph gives the newest generation of a store while its upstream fails, and not the last catalogue that a
    /// memory has.
    package func servesNewest(of store: String) -> Bool { served.contains(store) }

    /// A catalogue that an operator let through.
    package struct Acceptance: Sendable {
        package let node: String
        package let revision: String
        /// Whether the other replicas let it through as well; nil where none share a catalogue.
        package let isShared: Bool?
        package let results: [NodeRefresh]
    }

    /// Lets a refused catalogue through once, and asks for it: here, and at all replicas that share a store, one of which
    /// may be the only one that has seen it.
    /// - Parameter revision: the beginning of its revision; nil for whichever it is.
    package func accept(node: String?, revision: String?) async throws(OrderProblem) -> Acceptance {
        if let node, !gates.contains(where: { $0.label == node }) {
            throw .unknownNode(node, known: gates.map(\.label))
        }
        let found = quarantined.filter { gate in
            (node == nil || gate.label == node)
                && gate.component.catalogue.revision.hasPrefix(revision?.lowercased() ?? "")
        }
        if found.count > 1 { throw .ambiguous("node", known: found.map(\.label)) }
        guard let held = found.first, let gate = gates.first(where: { $0.label == held.label }) else {
            return try await acceptElsewhere(node: node, revision: revision)
        }
        let wanted = held.component.catalogue.revision
        guard gate.component.accept(revision: wanted) else { throw .nothingQuarantined }
        // While the storage is away the order still counts here.
        let isShared = try? await share(wanted, by: held.label)
        return Acceptance(
            node: held.label, revision: wanted, isShared: shared(above: held.label) == nil ? nil : isShared ?? false,
            results: try await refreshAccepted())
    }

    /// Lets a catalogue through that only another replica has refused.
    private func acceptElsewhere(node: String?, revision: String?) async throws(OrderProblem) -> Acceptance {
        let found = gates.filter { node == nil || $0.label == node }.compactMap { gate in
            shared(above: gate.label)?.store.report.refused.map { (gate: gate, revision: $0) }
        }.filter { $0.revision.hasPrefix(revision?.lowercased() ?? "") }
        if found.count > 1 { throw .ambiguous("node", known: found.map(\.gate.label)) }
        guard let found = found.first else { throw .nothingQuarantined }
        _ = try await share(found.revision, by: found.gate.label)
        (found.gate.component as? any CatalogueJudge)?.expect(revision: found.revision)
        return Acceptance(
            node: found.gate.label, revision: found.revision, isShared: true, results: try await refreshAccepted())
    }

    private func refreshAccepted() async throws(OrderProblem) -> [NodeRefresh] {
        memories.isEmpty ? [] : try await refresh(RefreshOrder(isForced: true, supersedes: true))
    }

    /// Has all replicas let a revision through.
    /// - Returns: whether there are any.
    private func share(_ revision: String, by gate: String) async throws(OrderProblem) -> Bool {
        guard let shared = shared(above: gate) else { return false }
        try await OrderProblem.reading(shared.label) { () async throws(ProductsFailure) in
            try await shared.store.accept(revision: revision)
        }
        return true
    }

    /// The shared store whose catalogues a gate checks.
    private func shared(above gate: String) -> (label: String, store: any SharedHistory, gates: Set<String>)? {
        shared.first { $0.gates.contains(gate) }
    }

    /// The refused catalogues, by the providers that keep them.
    package var quarantined: [Labelled<QuarantinedCatalogue>] {
        gates.compactMap { gate in gate.component.quarantined.map { (gate.label, $0) } }
    }

    /// Whether each provider that can refuse catalogues keeps a refused one.
    package var gateStates: [(label: String, isQuarantined: Bool)] {
        gates.map { ($0.label, $0.component.quarantined != nil) }
    }

    /// The histories on this machine, since no client waits for a shared store; that of one where there is no other.
    package var historiesForClients: [any ProductsHistory] {
        let all = histories.map(\.component)
        let own = all.filter { !($0 is any SharedHistory) }
        return own.isEmpty ? all : own
    }

    /// Returns the store with a label; without one the only one, or the only one that replicas share.
    package func history(_ store: String?) throws(OrderProblem) -> Labelled<any ProductsHistory> {
        guard let store else {
            if shared.count == 1, let label = shared.first?.label { return try history(label) }
            if histories.count > 1 { throw .ambiguous("store", known: histories.map(\.label)) }
            guard let only = histories.first else { throw .noStore }
            return only
        }
        guard let found = histories.first(where: { $0.label == store }) else {
            throw histories.isEmpty ? .noStore : .unknownStore(store, known: histories.map(\.label))
        }
        return found
    }
}
