internal import Concurrency
internal import Fleet
internal import Products

/// Shares a read of the state among all who ask while it runs.
final class StateLook: Sendable {
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
        await look.joined { await readState() }
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
