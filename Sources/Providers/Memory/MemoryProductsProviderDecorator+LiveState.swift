internal import FoundationEssentials
internal import Locks
internal import Products

extension MemoryProductsProviderDecorator: LiveStateReporting {
    /// What is kept, how old it is, and what may be done with it. Where answers vary there are several, and the entries
    /// tell of all of them.
    public var liveState: [LiveStateEntry] {
        let (wall, now) = (wallClock.now(), uptime.now)
        let kept = rooms.all.map { room in room.state.withLock { Self.summary(of: $0, wall, now) } }
        let snapshots = kept.compactMap(\.snapshot)
        return [
            LiveStateEntry("freshness", Self.list(kept.map(\.freshness))),
            LiveStateEntry("age_seconds", Self.range(snapshots.map { Int($0.age(at: wall).components.seconds) })),
            LiveStateEntry("products", Self.range(snapshots.map(\.products.count))),
            LiveStateEntry("revision", Self.list(snapshots.map { String($0.revision.prefix(12)) })),
            LiveStateEntry("variants", String(kept.count)),
        ]
    }

    private static func summary(
        of room: MemoryRoom.State, _ wall: Date, _ uptime: Duration
    ) -> (freshness: String, snapshot: ProductsSnapshot?) {
        let memory = room.memory
        guard let snapshot = memory.snapshot else { return ("empty", nil) }
        let stage = memory.stage(of: snapshot, wall, uptime)
        if memory.failure != nil { return ("\(stage), offline", snapshot) }
        let mayIdle = room.refresh == nil && memory.freshness(snapshot, .hit).isIdle(at: wall)
        return (mayIdle && stage != .expired ? "idle" : "\(stage)", snapshot)
    }

    /// Each text once.
    private static func list(_ texts: [String]) -> String {
        texts.isEmpty ? "none" : Set(texts).sorted().joined(separator: "; ")
    }

    /// One number, or the smallest and the largest.
    private static func range(_ numbers: [Int]) -> String {
        guard let least = numbers.min(), let most = numbers.max() else { return "none" }
        return least == most ? "\(least)" : "\(least) to \(most)"
    }
}
