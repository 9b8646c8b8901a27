internal import Locks
internal import Products

extension MemoryProductsProviderDecorator: SnapshotKeeping {
    /// The catalogue of each room that has one.
    public var keptSnapshots: [KeptSnapshot] {
        let (wall, now) = (wallClock.now(), uptime.now)
        return rooms.all.compactMap { room in
            room.state.withLock { state in
                state.memory.snapshot.map { snapshot in
                    KeptSnapshot(
                        snapshot: snapshot, isServable: state.memory.stage(of: snapshot, wall, now) != .expired,
                        freshness: state.memory.freshness(snapshot, .hit, isSlow: state.isSlow(at: now)))
                }
            }
        }
    }

    /// Why the refreshes of each room fail whose refreshes do.
    public var troubles: [UpstreamTrouble] {
        let now = uptime.now
        return rooms.all.compactMap { room in
            room.state.withLock { $0.memory.trouble(uptime: now, isRefreshing: $0.refresh != nil) }
        }
    }
}
