internal import struct Synchronization.Atomic

/// What few threads have counted of a provider's calls. It is so long that no two in a row share a cache line, which
/// threads would otherwise take from each other with every request.
struct NodeTally: ~Copyable, Sendable {
    let started = Atomic<Int>(0)
    let hits = Atomic<Int>(0)
    /// Answers that were no hits.
    let misses = Atomic<Int>(0)
    private let distance = InlineArray<13, UInt64>(repeating: 0)
}
