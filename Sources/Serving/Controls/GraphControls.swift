internal import Concurrency
package import Configuration
internal import Fleet
internal import FoundationEssentials
package import Products
internal import Persistence
internal import Providers
package import Tracing
internal import Wiring

/// Carries out operators' orders on one graph: refreshes, pins, and acceptances of refused catalogues. If replicas
/// share a store, pins and acceptances apply to the fleet.
package struct GraphControls: Sendable {
    package typealias LabelledComponent<Component> = (label: String, component: Component)

    /// A provider that keeps answers.
    struct Memory: Sendable {
        let label: String
        /// The length of the longest path below it; lower memories are refreshed first.
        let height: Int
        let provider: any RefreshableProvider
        /// The labels of the stores whose pins it obeys.
        let stores: Set<String>
        /// The labels of the stores that it follows.
        let followed: Set<String>
        /// The labels of the components below it.
        let below: Set<String>
    }

    package let differences = GenerationDifferences()
    package let histories: [LabelledComponent<any ProductsHistory>]
    private let gates: [LabelledComponent<any QuarantiningProvider>]
    /// The stores that replicas share, each with the labels of the gates below it.
    private let shared: [(label: String, store: any SharedHistory, gates: Set<String>)]
    let memories: [Memory]
    private let signal: CatalogueSignal
    let stores: [LabelledComponent<any ProductsStore>]
    let stateRead = SharedStateRead()
    /// The sources whose prices begin and end at known times.
    let timed: [LabelledComponent<any TimedProvider>]
    let wallClock: WallClock

    /// - Parameter assembly: the assembly in which the graph was made.
    package init(_ assembly: Assembly) {
        let providers = assembly.components(of: ProviderFamily.self).map { outline, instance in
            (label: outline.metricLabel, provider: instance.unobserved)
        }
        gates = providers.compactMap { label, provider in
            (provider as? any QuarantiningProvider).map { (label, $0) }
        }
        timed = providers.compactMap { label, provider in
            (provider as? any TimedProvider).flatMap { $0.isTimed ? (label, $0) : nil }
        }
        wallClock = assembly.optionalResource(WallClock.self) ?? .system
        signal = assembly.catalogueSignal
        let stores = assembly.components(of: StoreFamily.self)
        let outlines = assembly.components(of: ProviderFamily.self).map(\.outline)
        shared = stores.compactMap { outline, instance in
            guard let store = instance as? any SharedHistory else { return nil }
            let users = outlines.filter { user in user.children.contains { $0.outline.id == outline.id } }
            let below = users.flatMap(\.all).map { $0.metricLabel }
            return (outline.metricLabel, store, Set(below))
        }
        self.stores = stores.map { ($0.outline.metricLabel, $0.instance) }
        memories = assembly.components(of: ProviderFamily.self).compactMap { outline, instance in
            (instance.unobserved as? any RefreshableProvider).map { provider in
                Memory(
                    label: outline.metricLabel, height: outline.height, provider: provider,
                    stores: Set(outline.obeyedStores.map(\.metricLabel)),
                    followed: Set(outline.followedStores.map(\.metricLabel)),
                    below: Set(outline.all.dropFirst().map(\.metricLabel)))
            }
        }
        let others = Set(outlines.filter(\.keepsOthersInStore).flatMap(\.children).map(\.outline.id))
        histories = stores.filter { !others.contains($0.outline.id) }.compactMap { outline, instance in
            (instance as? any ProductsHistory).map { (outline.metricLabel, $0) }
        }
    }

    /// Yields after requests get another catalogue, of this graph or another one.
    package var changes: AsyncStream<Void> { signal.changes }

    /// Refreshes one memory, or all of them, lower ones first.
    /// - Throws: `unknownNode`, and `noMemory` when nothing in the graph keeps answers.
    package func refresh(
        _ order: RefreshOrder, node: String? = nil, for cause: (any RequestIdentitySource)? = nil
    ) async throws(OrderProblem) -> [NodeRefresh] {
        try check(node)
        return await changing(memories.filter { node == nil || $0.label == node }) { memory, _ in
            await memory.provider.refresh(order, for: cause)
        }
    }

    /// Changes memories, lower ones first, and those of the same height concurrently.
    /// - Parameter change: gets the results so far.
    func changing(
        _ chosen: [Memory], _ change: @escaping @Sendable (Memory, [NodeRefresh]) async -> [RefreshResult]
    ) async -> [NodeRefresh] {
        var results: [NodeRefresh] = []
        for height in Set(chosen.map(\.height)).sorted() {
            let level = chosen.filter { $0.height == height }
            results += await withTaskGroup(of: (Int, [NodeRefresh]).self) { [before = results] group in
                for (index, memory) in level.enumerated() {
                    group.addTask {
                        let results = await change(memory, before)
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

    /// A catalogue that an operator accepted.
    package struct Acceptance: Sendable {
        package let node: String
        package let revision: String
        /// Whether the other replicas accept it as well; nil if no store is shared.
        package let isShared: Bool?
        package let results: [NodeRefresh]
    }

    /// Accepts a refused catalogue once, and refreshes: here, and at all replicas that share a store, since only one of
    /// them may have received it.
    /// - Parameter revision: the beginning of its revision; nil for any.
    package func accept(
        node: String?, revision: String?, for cause: (any RequestIdentitySource)? = nil
    ) async throws(OrderProblem) -> Acceptance {
        if let node, !gates.contains(where: { $0.label == node }) {
            throw .unknownNode(node, known: gates.map(\.label))
        }
        let found = quarantined.filter { gate in
            (node == nil || gate.label == node)
                && gate.component.catalogue.revision.hasPrefix(revision?.lowercased() ?? "")
        }
        if found.count > 1 { throw .ambiguous("node", known: found.map(\.label)) }
        guard let refused = found.first, let gate = gates.first(where: { $0.label == refused.label }) else {
            return try await acceptElsewhere(node: node, revision: revision, for: cause)
        }
        let wanted = refused.component.catalogue.revision
        guard gate.component.accept(revision: wanted) else { throw .nothingQuarantined }
        // If the storage is away, the order is carried out only here.
        let isShared = try? await share(wanted, by: refused.label)
        return Acceptance(
            node: refused.label, revision: wanted,
            isShared: shared(above: refused.label) == nil ? nil : isShared ?? false,
            results: try await refreshAccepted(for: cause))
    }

    /// Accepts a catalogue that only another replica has refused.
    private func acceptElsewhere(
        node: String?, revision: String?, for cause: (any RequestIdentitySource)?
    ) async throws(OrderProblem) -> Acceptance {
        let found = gates.filter { node == nil || $0.label == node }.compactMap { gate in
            shared(above: gate.label)?.store.report.refused.map { (gate: gate, revision: $0) }
        }.filter { $0.revision.hasPrefix(revision?.lowercased() ?? "") }
        if found.count > 1 { throw .ambiguous("node", known: found.map(\.gate.label)) }
        guard let found = found.first else { throw .nothingQuarantined }
        _ = try await share(found.revision, by: found.gate.label)
        (found.gate.component as? any CatalogueJudge)?.expect(revision: found.revision)
        return Acceptance(
            node: found.gate.label, revision: found.revision, isShared: true,
            results: try await refreshAccepted(for: cause))
    }

    private func refreshAccepted(
        for cause: (any RequestIdentitySource)?
    ) async throws(OrderProblem) -> [NodeRefresh] {
        memories.isEmpty ? [] : try await refresh(RefreshOrder(isForced: true, supersedes: true), for: cause)
    }

    /// Makes all replicas accept a revision.
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
    package var quarantined: [LabelledComponent<QuarantinedCatalogue>] {
        gates.compactMap { gate in gate.component.quarantined.map { (gate.label, $0) } }
    }

    /// Whether each provider that can refuse catalogues keeps a refused one.
    package var gateStates: [(label: String, isQuarantined: Bool)] {
        gates.map { ($0.label, $0.component.quarantined != nil) }
    }

    /// The histories on this machine, since no client waits for a shared store; its history if there is no other.
    package var historiesForClients: [any ProductsHistory] {
        let all = histories.map(\.component)
        let own = all.filter { !($0 is any SharedHistory) }
        return own.isEmpty ? all : own
    }

    /// Returns the store with a label; without a label the only store, or the only shared one.
    package func history(_ store: String?) throws(OrderProblem) -> LabelledComponent<any ProductsHistory> {
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
