public import FoundationEssentials
internal import Concurrency
public import Products

/// The catalogues that a `memory` keeps, and why its refreshes fail.
public struct MemoryReport: Sendable {
    /// One catalogue for each variant that has been fetched.
    public let kept: [KeptSnapshot]
    /// One entry for each variant whose refreshes fail.
    public let troubles: [UpstreamTrouble]
}

/// A catalogue that a provider keeps.
public struct KeptSnapshot: Sendable {
    /// The catalogue.
    public let snapshot: ProductsSnapshot
    /// Whether it may be served if nothing newer can be had.
    public let isServable: Bool
    /// Its freshness and whether its source fails; nil if unknown.
    public let freshness: Freshness?

    /// Describes a kept catalogue.
    public init(snapshot: ProductsSnapshot, isServable: Bool, freshness: Freshness? = nil) {
        self.snapshot = snapshot
        self.isServable = isServable
        self.freshness = freshness
    }
}

/// The reason why refreshes of a catalogue fail, since when, and when the next one is due.
public struct UpstreamTrouble: Sendable, Hashable {
    /// The time of the next refresh.
    public enum NextTry: Sendable, Hashable {
        /// It is running.
        case running
        /// After a pause.
        case after(Duration)
        /// With the next request.
        case onRequest
    }

    /// The last failure that tells how the upstream fails.
    public let failure: ProductsFailure
    /// The time of the first failure in a row.
    public let since: Date
    /// The time of the next refresh.
    public let nextTry: NextTry

    /// Describes failing refreshes.
    public init(failure: ProductsFailure, since: Date, nextTry: NextTry) {
        self.failure = failure
        self.since = since
        self.nextTry = nextTry
    }
}

extension MemoryProductsProviderDecorator: StateReporting {
    /// Reports what is kept, how old it is, and what may be done with it; where answers vary, for all variants at once.
    public var report: ProviderReport {
        let (wall, now) = (wallClock.now(), uptime.now)
        let rooms = rooms.all.map { room in
            room.state.withLock { state in
                (
                    freshness: Self.freshness(state, wall, now), kept: Self.kept(state, wall, now),
                    trouble: state.memory.trouble(uptime: now, isRefreshing: state.refresh != nil)
                )
            }
        }
        let kept = rooms.compactMap(\.kept)
        let snapshots = kept.map(\.snapshot)
        let entries = [
            LiveStateEntry("freshness", Self.list(rooms.map(\.freshness))),
            LiveStateEntry("age_seconds", Self.range(snapshots.map { Int($0.age(at: wall).components.seconds) })),
            LiveStateEntry("products", Self.range(snapshots.map(\.products.count))),
            LiveStateEntry("revision", Self.list(snapshots.map { String($0.revision.prefix(12)) })),
            LiveStateEntry("variants", String(rooms.count)),
        ]
        return ProviderReport(
            entries: entries, memory: MemoryReport(kept: kept, troubles: rooms.compactMap(\.trouble)))
    }

    private static func kept(_ room: MemoryVariant.State, _ wall: Date, _ uptime: Duration) -> KeptSnapshot? {
        room.memory.snapshot.map { snapshot in
            KeptSnapshot(
                snapshot: snapshot, isServable: room.memory.stage(of: snapshot, wall, uptime) != .expired,
                freshness: room.memory.freshness(snapshot, .hit, isLate: room.isLate(at: uptime)))
        }
    }

    private static func freshness(_ room: MemoryVariant.State, _ wall: Date, _ uptime: Duration) -> String {
        let memory = room.memory
        guard let snapshot = memory.snapshot else { return "empty" }
        let stage = memory.stage(of: snapshot, wall, uptime)
        if memory.failure != nil { return "\(stage), offline" }
        let mayIdle = room.refresh == nil && memory.freshness(snapshot, .hit).isIdle(at: wall)
        return mayIdle && stage != .expired ? "idle" : "\(stage)"
    }

    private static func list(_ texts: [String]) -> String {
        texts.isEmpty ? "none" : Set(texts).sorted().joined(separator: "; ")
    }

    private static func range(_ numbers: [Int]) -> String {
        guard let least = numbers.min(), let most = numbers.max() else { return "none" }
        return least == most ? "\(least)" : "\(least) to \(most)"
    }
}
