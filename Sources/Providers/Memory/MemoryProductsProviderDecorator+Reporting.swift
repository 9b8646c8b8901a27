internal import Concurrency
internal import FoundationEssentials
public import Products

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

/// A catalogue that a provider keeps.
public struct KeptSnapshot: Sendable {
    /// The catalogue.
    public let snapshot: ProductsSnapshot
    /// Whether it may be served, if nothing newer can be had.
    public let isServable: Bool
    /// How fresh it is, and whether its source fails; nil where nobody can tell.
    public let freshness: Freshness?

    /// A kept catalogue.
    public init(snapshot: ProductsSnapshot, isServable: Bool, freshness: Freshness? = nil) {
        self.snapshot = snapshot
        self.isServable = isServable
        self.freshness = freshness
    }
}

/// A provider that keeps catalogues, and tells which.
///
/// Reading it is for operators and may take a lock; it is never on the path of a request.
public protocol SnapshotKeeping: Sendable {
    /// What is kept at this moment: one for each variant that was asked for and has come.
    var keptSnapshots: [KeptSnapshot] { get }
    /// Why refreshes fail at this moment, for each variant whose refreshes do.
    var troubles: [UpstreamTrouble] { get }
}
