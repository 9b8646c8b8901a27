internal import FoundationEssentials
internal import Locks
internal import Products

extension MemoryProductsProviderDecorator: LiveStateReporting {
    /// What is kept, how old it is, and what may be done with it. Where answers vary there are several, and the entries
    /// tell of all of them.
    public var liveState: [LiveStateEntry] {
        let (wall, now) = (wallClock.now(), uptime.now)
        let kept = rooms.all.map { room in room.state.withLock { Self.summary(of: $0.memory, wall, now) } }
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
        of memory: MemoryState, _ wall: Date, _ uptime: Duration
    ) -> (freshness: String, snapshot: ProductsSnapshot?) {
        guard let snapshot = memory.snapshot else { return ("empty", nil) }
        let stage = "\(memory.stage(of: snapshot, wall, uptime))"
        return (memory.failure == nil ? stage : "\(stage), offline", snapshot)
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
