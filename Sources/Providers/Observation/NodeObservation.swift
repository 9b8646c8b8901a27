internal import Concurrency
package import FoundationEssentials
package import Products
internal import struct Synchronization.Atomic

/// Counts the calls of one provider by outcome.
///
/// A success costs two additions to counters that other threads seldom touch; only a failure reads a clock and takes a
/// lock. The counters are read one by one, so under load they may differ by the calls in between.
final class NodeObservation: Sendable {
    /// The provider's place in the config.
    let id: String
    let type: String
    private let tallies = InlineArray<8, NodeTally> { _ in NodeTally() }
    private let failed = Atomic<Int>(0)
    private let cancelled = Atomic<Int>(0)
    /// The `fetchedAt` of the last answer, as the bits of its seconds; NaN before the first.
    private let confirmed = Atomic<UInt64>(Double.nan.bitPattern)
    private let lastFailure = Mutex<NodeFailure?>(nil)

    init(id: String, type: String) {
        self.id = id
        self.type = type
    }

    /// The counts at this moment.
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
        tallies[ThreadStripe.own].started.wrappingAdd(1, ordering: .relaxed)
    }

    func succeed(with answer: ProductsAnswer) {
        if answer.isHit {
            tallies[ThreadStripe.own].hits.wrappingAdd(1, ordering: .relaxed)
        } else {
            tallies[ThreadStripe.own].misses.wrappingAdd(1, ordering: .relaxed)
        }
        let time = answer.snapshot.fetchedAt.timeIntervalSince1970.bitPattern
        if confirmed.load(ordering: .relaxed) != time { confirmed.store(time, ordering: .relaxed) }
    }

    /// Counts a failed call. A cancelled call says nothing about the provider, so it is no failure.
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
}

/// The calls of one provider by outcome, since the service started or the provider was configured.
package struct NodeCounts: Sendable, Hashable {
    package let calls: Int
    package let answers: Int
    /// The answers from the cache of a `memory`: this provider, or one below it.
    package let hits: Int
    package let failures: Int
    /// The calls that were cancelled by the caller.
    package let cancellations: Int
    /// The calls that have not ended yet.
    package let inFlight: Int
    /// The time when the source confirmed the products of its last answer.
    package let lastConfirmed: Date?
    /// The last failure, even if the provider has answered since.
    package let lastFailure: NodeFailure?

    /// The share of the answers that were hits, from 0 to 1; nil before the first answer.
    package var hitRatio: Double? { answers > 0 ? Double(hits) / Double(answers) : nil }
}

/// A failure of a provider, with its time.
package struct NodeFailure: Sendable, Hashable {
    package let failure: ProductsFailure
    package let time: Date
}

/// The calls of a provider, as counted by a few threads. The padding prevents false sharing of cache lines.
struct NodeTally: ~Copyable, Sendable {
    let started = Atomic<Int>(0)
    let hits = Atomic<Int>(0)
    /// The answers that were not hits.
    let misses = Atomic<Int>(0)
    private let distance = InlineArray<13, UInt64>(repeating: 0)
}
