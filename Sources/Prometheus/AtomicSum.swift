internal import struct Synchronization.Atomic

/// A number to which any thread may add without a lock.
struct AtomicSum: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double {
        get { Double(bitPattern: bits.load(ordering: .relaxed)) }
        nonmutating set { bits.store(newValue.bitPattern, ordering: .relaxed) }
    }

    func add(_ amount: Double) {
        var seen = bits.load(ordering: .relaxed)
        while true {
            let sum = (Double(bitPattern: seen) + amount).bitPattern
            let (isDone, found) = bits.weakCompareExchange(expected: seen, desired: sum, ordering: .relaxed)
            if isDone { return }
            seen = found
        }
    }
}
