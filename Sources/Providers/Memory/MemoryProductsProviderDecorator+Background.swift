internal import Locks
internal import Products

extension MemoryProductsProviderDecorator {
    /// Refreshes whenever freshness ends, without being asked, until the task is cancelled. To be run once.
    ///
    /// Every variant that was ever asked for is refreshed by a task of its own, from the start on also the one of
    /// requests without any header. After a reload those that the predecessor knew go on.
    public func refreshInBackground() async throws {
        let plain = ProductsRequest()
        let plainRoom = room(for: plain)
        plainRoom.state.withLock { rooms.note(rooms.division.headers(of: plain), of: plainRoom, &$0) }
        await withTaskGroup { group in
            for await room in rooms.refreshable {
                group.addTask { try? await self.refreshInBackground(room) }
            }
        }
    }

    private func refreshInBackground(_ room: MemoryRoom) async throws {
        while !Task.isCancelled {
            let due = room.state.withLock { $0.memory.nextRefresh(uptime: uptime.now) }
            if due > .zero {
                try await clock.sleep(for: due)
            } else {
                let refresh = room.state.withLock { state in
                    let headers = state.headers ?? [:]
                    return startedRefresh(of: room, &state, headers)
                }
                await Self.wait(for: refresh)
            }
        }
    }

    /// Returns when the refresh is over or the task is cancelled. Then the refresh is left behind: requests may wait for
    /// it, and an upstream that hangs must not keep the service from stopping.
    private static func wait(for refresh: Task<Outcome, Never>) async {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        Task.detached {
            _ = await refresh.value
            end.finish()
        }
        for await _ in ends {}
    }
}
