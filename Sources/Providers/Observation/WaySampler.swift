internal import struct Synchronization.Atomic

/// Chooses which requests are followed: all of them where they come slowly, and ten a second where they come fast.
///
/// It costs those that are not chosen a look at the clock. Requests at the same moment may be chosen together.
final class WaySampler: Sendable {
    /// Of the time's attoseconds these low bits are left out, which makes ticks of 1.1 ms: no division, and few enough
    /// for an `Int`.
    private static let tickBits = 50
    /// The ticks, about 100 ms, that one choice takes out of what there is.
    private static let price = 89
    /// How many may be chosen in a row.
    private static let most = 32

    private let uptime: Uptime
    /// The tick up to which all time has been used up.
    private let spent = Atomic<Int>(-most * price)

    init(uptime: Uptime = Uptime(of: ContinuousClock())) {
        self.uptime = uptime
    }

    /// Whether the request that comes now is to be followed. Nothing is used up by asking.
    var wouldChoose: Bool { choice != nil }

    /// Whether the request that comes now is followed.
    func chooses() -> Bool {
        guard let choice else { return false }
        spent.store(choice, ordering: .relaxed)
        return true
    }

    /// What is used up by a choice at this moment; nil when there is too little left for one.
    private var choice: Int? {
        let now = Int(truncatingIfNeeded: uptime.now.attoseconds >> Self.tickBits)
        let end = max(spent.load(ordering: .relaxed), now - Self.most * Self.price) + Self.price
        return end <= now ? end : nil
    }
}
