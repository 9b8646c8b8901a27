internal import Concurrency
internal import Products

extension MemoryProductsProviderDecorator {
    /// Refreshes whenever freshness ends, without a request, until the task is cancelled. It may run only once.
    ///
    /// Each variant that was ever asked for is refreshed by a task of its own, from the start on also the variant of
    /// requests without any header. After a reload the variants of the predecessor are refreshed as well.
    package func refreshInBackground() async throws {
        let plain = ProductsRequest()
        let plainRoom = room(for: plain)
        plainRoom.state.withLock { rooms.note(rooms.division.headers(of: plain), of: plainRoom, &$0) }
        await withTaskGroup { group in
            for await room in rooms.refreshable {
                group.addTask { try? await self.refreshInBackground(room) }
            }
        }
    }

    private func refreshInBackground(_ room: MemoryVariant) async throws {
        while !Task.isCancelled {
            let due = room.state.withLock { $0.memory.nextRefresh(uptime: uptime.now) }
            if due > .zero {
                try await clock.sleep(for: due)
            } else {
                let refresh = room.state.withLock { state in
                    let headers = state.headers ?? [:]
                    return startedRefresh(of: room, &state, headers)
                }
                // When the service stops, the refresh is left behind: requests may wait for it, and its upstream may hang.
                _ = await firstOutcome { await refresh.value }
            }
        }
    }
}
