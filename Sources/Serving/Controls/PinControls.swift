internal import Concurrency
package import Configuration
internal import Fleet
internal import FoundationEssentials
internal import Persistence
package import Products

/// Shares a running read of the state among concurrent callers.
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
    /// The longest wait of a page, a probe or a scrape for a store.
    package static let glance = Duration.milliseconds(250)

    /// Reads the state of all stores and gates. A store whose disk does not respond is left out. Concurrent calls share
    /// one read, since clients cause reads too, by probes.
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
    /// The longest wait of an order for the memories to serve its catalogue.
    private static let timeout = Duration.seconds(1)

    /// Pins a generation, and returns when the memories above the store serve it, or after a second.
    /// - Throws: `unpinnable` if no memory would serve it.
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

    /// Whether a memory serves the pins of a store.
    package func obeysPins(of store: String) -> Bool { memories.contains { $0.stores.contains(store) } }

    /// Removes the pin, and returns when the memories above the store serve their own catalogues again, or after a
    /// second. A memory without one keeps serving the pinned catalogue for a while.
    /// - Returns: `served` is the outcome of each memory; nil if that takes longer.
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

    /// Makes the memories above a store serve its current catalogue. Their upstreams are asked only if the store has a
    /// newer catalogue.
    private func follow(_ store: String) async -> [NodeRefresh] {
        await changing(memories.filter { $0.below.contains(store) }) { memory, before in
            let changed = before.filter { $0.result.before?.revision != $0.result.after?.revision }
            let isChangedBelow = changed.contains { memory.below.contains($0.node) }
            guard isChangedBelow || memory.followed.contains(store) else { return [] }
            return await memory.provider.follow(isChangedBelow: isChangedBelow)
        }
    }

    /// Follow the stores while the graph is in force, since others may change them, such as operators at other
    /// replicas, and refresh when prices begin or end to count.
    package var jobs: [BackgroundJob] {
        timers
            + stores.map { label, store in
                BackgroundJob(name: "changes of \(label)", owner: "changes of \(label)") {
                    let changes = store.changes
                    repeat {
                        _ = await firstOutcome { await follow(label) }
                    } while await changes.first { _ in true } != nil
                }
            }
    }

    /// The longest sleep of a timer, which does not notice a source that is read meanwhile.
    private static let longestSleep = 5.0

    /// Refreshes the memories above a source when a price of it begins or ends to count.
    var timers: [BackgroundJob] {
        timed.map { label, source in
            BackgroundJob(name: "prices of \(label) in time", owner: "prices of \(label) in time") {
                while true {
                    let end = source.validUntil
                    let left = end.map { $0.timeIntervalSince(wallClock.now()) } ?? Self.longestSleep
                    try await Task.sleep(for: .seconds(min(max(left, 0.01), Self.longestSleep)))
                    guard let end, end <= wallClock.now() else { continue }
                    _ = await changing(memories.filter { $0.below.contains(label) }) { memory, _ in
                        await memory.provider.refresh(RefreshOrder(), for: nil)
                    }
                    // A source that fails is left to the refreshes of its memories for a while.
                    if source.validUntil == end { try await Task.sleep(for: .seconds(Self.longestSleep)) }
                }
            }
        }
    }
}
