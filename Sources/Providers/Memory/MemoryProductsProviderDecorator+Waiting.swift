internal import Locks
internal import Logging
internal import Products

/// The wait of requests for a refresh, which has an end whatever the refresh waits for.
extension MemoryProductsProviderDecorator {
    /// The outcome of a refresh; nil when it takes longer than a request waits. The refresh goes on then, and until it
    /// ends no other request waits that may have a stale answer.
    func outcome(of refresh: Task<Outcome, Never>, in room: MemoryRoom) async -> Outcome? {
        let wait: Task<Outcome?, Never>? = room.state.withLock { state in
            guard state.refresh == refresh else { return nil }
            if let wait = state.wait { return wait }
            let left = max(.zero, rooms.policy.maxWait - (uptime.now - state.refreshStart))
            let wait = Task.detached { [self] in await outcome(of: refresh, in: room, within: left) }
            state.wait = wait
            return wait
        }
        guard let wait else { return await refresh.value }
        return await wait.value
    }

    private func outcome(
        of refresh: Task<Outcome, Never>, in room: MemoryRoom, within limit: Duration
    ) async -> Outcome? {
        let first = FirstOutcome<Outcome?>()
        Task.detached { first.settle(.success(await refresh.value)) }
        let alarm = Task.detached { [clock] in
            try await clock.sleep(for: limit)
            first.settle(.success(nil))
        }
        defer { alarm.cancel() }
        let outcome = (try? await first.value()) ?? nil
        if outcome == nil { reportLate(refresh, in: room) }
        return outcome
    }

    private func reportLate(_ refresh: Task<Outcome, Never>, in room: MemoryRoom) {
        let isServable: Bool? = room.state.withLock { state in
            guard state.refresh == refresh else { return nil }
            return state.memory.fallBehind(wall: wallClock.now(), uptime: uptime.now)
        }
        guard let isServable else { return }
        logger.warning(
            isServable
                ? "a refresh takes long, serving the last good catalogue" : "a refresh takes long, nothing to serve",
            metadata: ["provider": "\(rooms.node)", "limit": "\(rooms.policy.maxWait)"])
    }
}
