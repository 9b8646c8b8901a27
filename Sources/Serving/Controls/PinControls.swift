internal import Concurrency
package import Configuration
internal import Fleet
internal import Persistence
package import Products

/// Shares a read of the state among all who ask while it runs.
final class SharedStateRead: Sendable {
    private let running = Mutex<Task<ControlState, Never>?>(nil)

    func joined(_ read: @escaping @Sendable () async -> ControlState) async -> ControlState {
        let task = running.withLock { running in
            if let running { return running }
            let task = Task.detached { [self] in
                let state = await read()
                self.running.withLock { $0 = nil }
                return state
            }
            running = task
            return task
        }
        return await task.value
    }
}

extension GraphControls {
    /// The longest time for which a page, a probe or a scrape waits for a store.
    package static let glance = Duration.milliseconds(250)

    /// Reads the state of all stores and gates. A store that does not know of pins, since its disk does not answer, is left
    /// out. Calls join a read under way: clients ask for it as well, by probes.
    package func state() async -> ControlState {
        await stateRead.joined { await readState() }
    }

    private func readState() async -> ControlState {
        let stores = await withTaskGroup(of: (Int, ControlState.Store?).self) { group in
            for (index, history) in histories.enumerated() {
                let isObeyed = obeysPins(of: history.label)
                group.addTask {
                    if let fleet = (history.component as? any SharedHistory)?.report {
                        let newest = fleet.pointer?.generation
                        return (
                            index,
                            ControlState.Store(
                                label: history.label, pin: fleet.pin, newest: newest, isObeyed: isObeyed)
                        )
                    }
                    let seen = await firstOutcome(within: Self.glance) { () -> CataloguePin?? in
                        do { return .some(try await history.component.currentPin()) } catch { return nil }
                    }
                    guard case let pin?? = seen else { return (index, nil) }
                    let newest = await firstOutcome(within: Self.glance) {
                        try? await history.component.history().first?.generation
                    }
                    return (
                        index,
                        ControlState.Store(
                            label: history.label, pin: pin, newest: newest ?? nil, isObeyed: isObeyed)
                    )
                }
            }
            var found: [Int: ControlState.Store] = [:]
            for await (index, store) in group { found[index] = store }
            return histories.indices.compactMap { found[$0] }
        }
        return ControlState(stores: stores, quarantined: quarantined.map { ($0.label, $0.component) })
    }
}

extension GraphControls {
    /// The longest time for which an order waits until memories give the catalogue that it is about.
    private static let timeout = Duration.seconds(1)

    /// Pins a generation, and returns when the memories above the store serve it, or after a second.
    /// - Throws: `unpinnable` where no memory would serve it.
    package func pin(
        _ target: HistoryTarget, store: String?, by order: OperatorOrder
    ) async throws(OrderProblem) -> (store: String, pin: CataloguePin, isInForce: Bool) {
        let history = try history(store)
        guard obeysPins(of: history.label) else { throw .unpinnable(history.label) }
        let pin = try await OrderProblem.reading(history.label, target.name) { () async throws(ProductsFailure) in
            try await history.component.pin(target, by: order)
        }
        let obeying = memories.filter { $0.stores.contains(history.label) }.map(\.label)
        let served = await followInTime(history.label)?.filter { obeying.contains($0.node) }
        return (history.label, pin, served?.allSatisfy(\.result.isPinned) ?? false)
    }

    /// Whether a memory serves what is pinned in a store.
    package func obeysPins(of store: String) -> Bool { memories.contains { $0.stores.contains(store) } }

    /// Takes the pin off, and returns when the memories above the store serve their own catalogues again, or after a second. One
    /// that has none goes on with the pinned one for a while.
    /// - Returns: `served` is what they serve now; nil where that takes longer.
    package func unpin(store: String?) async throws(OrderProblem) -> (
        store: String, pin: CataloguePin?, served: [NodeRefresh]?
    ) {
        let history = try history(store)
        let pin = try await OrderProblem.reading(history.label) { () async throws(ProductsFailure) in
            try await history.component.unpin()
        }
        return (history.label, pin, await followInTime(history.label))
    }

    private func followInTime(_ store: String) async -> [NodeRefresh]? {
        await firstOutcome(within: Self.timeout) { await follow(store) }
    }

    /// Has the memories above a store serve what it offers now. Their upstreams are asked only where it has a newer catalogue
    /// than they have.
    private func follow(_ store: String) async -> [NodeRefresh] {
        await changing(memories.filter { $0.below.contains(store) }) { memory, before in
            let changed = before.filter { $0.result.before?.revision != $0.result.after?.revision }
            let isChangedBelow = changed.contains { memory.below.contains($0.node) }
            guard isChangedBelow || memory.followed.contains(store) else { return [] }
            return await memory.provider.follow(isChangedBelow: isChangedBelow)
        }
    }

    /// Follows the stores as long as the graph is in force, whoever changes them: operators at other replicas, for instance.
    package var jobs: [BackgroundJob] {
        stores.map { label, store in
            BackgroundJob(name: "changes of \(label)", owner: "changes of \(label)") {
                let changes = store.changes
                repeat { _ = await firstOutcome { await follow(label) } } while await changes.first { _ in true } != nil
            }
        }
    }
}
