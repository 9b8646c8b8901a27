internal import FoundationEssentials
internal import Glibc
internal import Locks
internal import Products
internal import struct Synchronization.Atomic

/// Counts what becomes of the calls of one provider.
///
/// A success costs two additions to counters that other threads seldom touch; only a failure reads a clock and takes a
/// lock. The counters are read one after the other, so under load they may differ by the calls of that moment.
final class NodeObservation: Sendable {
    private static let tallyBits = 3

    /// The provider's `ComponentOutline.id`.
    let id: String
    let type: String
    private let tallies = InlineArray<8, NodeTally> { _ in NodeTally() }
    private let failed = Atomic<Int>(0)
    private let cancelled = Atomic<Int>(0)
    /// When the products that were given last had been confirmed, as the bits of the seconds; no number before that.
    private let confirmed = Atomic<UInt64>(Double.nan.bitPattern)
    private let lastFailure = Mutex<NodeFailure?>(nil)

    init(id: String, type: String) {
        self.id = id
        self.type = type
    }

    /// What was counted up to now.
    var counts: NodeCounts {
        let seconds = Double(bitPattern: confirmed.load(ordering: .relaxed))
        let (failed, cancelled) = (failed.load(ordering: .relaxed), cancelled.load(ordering: .relaxed))
        var (started, hits, answered) = (0, 0, 0)
        for index in tallies.indices {
            let hitsHere = tallies[index].hits.load(ordering: .relaxed)
            hits += hitsHere
            answered += hitsHere + tallies[index].misses.load(ordering: .relaxed)
        }
        for index in tallies.indices { started += tallies[index].started.load(ordering: .relaxed) }
        return NodeCounts(
            calls: started, answers: answered, hits: hits, failures: failed,
            cancellations: cancelled, inFlight: max(0, started - answered - failed - cancelled),
            lastConfirmed: seconds.isNaN ? nil : Date(timeIntervalSince1970: seconds),
            lastFailure: lastFailure.withLock { $0 })
    }

    func begin() {
        tallies[Self.ownTally].started.wrappingAdd(1, ordering: .relaxed)
    }

    func succeed(with answer: ProductsAnswer) {
        if answer.isHit {
            tallies[Self.ownTally].hits.wrappingAdd(1, ordering: .relaxed)
        } else {
            tallies[Self.ownTally].misses.wrappingAdd(1, ordering: .relaxed)
        }
        let time = answer.snapshot.fetchedAt.timeIntervalSince1970.bitPattern
        if confirmed.load(ordering: .relaxed) != time { confirmed.store(time, ordering: .relaxed) }
    }

    /// A cancelled call says nothing about the provider, so it is no failure.
    func fail(with error: any Error, wallClock: WallClock) {
        let failure = ProductsFailure(error)
        guard failure != .cancelled else {
            cancelled.wrappingAdd(1, ordering: .relaxed)
            return
        }
        failed.wrappingAdd(1, ordering: .relaxed)
        let record = NodeFailure(failure: failure, time: wallClock.now())
        lastFailure.withLock { $0 = record }
    }

    /// The tally of the thread that runs at this moment. What begins on one may end on another.
    private static var ownTally: Int {
        // Threads are told apart by addresses a round number apart; the product's highest bits depend on all of them.
        Int(truncatingIfNeeded: (UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - tallyBits))
    }
}
