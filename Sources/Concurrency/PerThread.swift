internal import Glibc
package import struct Synchronization.Atomic

/// Chooses one of a few copies of a counter for each thread, so that threads do not contend for a cache line on every
/// request.
package enum ThreadStripe {
    package static let count = 8

    /// The index of the running thread's copy, below `count`.
    @inlinable package static var own: Int {
        // Thread addresses differ by multiples of a round number; the product's highest bits depend on all their bits.
        Int(truncatingIfNeeded: (UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15) >> 61)
    }
}

/// A value padded so that it shares no cache line with its neighbour, nor the line that processors prefetch with it.
/// For adjacent values that are each written by a different thread.
package struct CacheLinePadded<Content: ~Copyable & Sendable>: ~Copyable, Sendable {
    /// Two cache lines, since the alignment of the whole value is unknown.
    @usableFromInline let distance = InlineArray<16, UInt64>(repeating: 0)
    package let content: Content

    /// Pads a value.
    @inlinable
    package init(_ content: consuming Content) {
        self.content = content
    }
}

/// A number to which any thread may add without a lock.
package struct AtomicSum: ~Copyable, Sendable {
    @usableFromInline let bits: Atomic<UInt64>

    /// Creates a sum of 0.
    @inlinable
    package init() {
        bits = Atomic(0)
    }

    @inlinable package var value: Double {
        get { Double(bitPattern: bits.load(ordering: .relaxed)) }
        nonmutating set { bits.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// Adds an amount.
    @inlinable
    package func add(_ amount: Double) {
        var seen = bits.load(ordering: .relaxed)
        while true {
            let sum = (Double(bitPattern: seen) + amount).bitPattern
            let (isDone, found) = bits.weakCompareExchange(expected: seen, desired: sum, ordering: .relaxed)
            if isDone { return }
            seen = found
        }
    }
}
