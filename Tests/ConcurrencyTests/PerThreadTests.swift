import Concurrency
import Synchronization
import Testing

struct CacheLinePaddedTests {
    @Test func `between two in a row there are two cache lines, however large they are`() {
        #expect(MemoryLayout<CacheLinePadded<Atomic<Int>>>.stride - MemoryLayout<Atomic<Int>>.size >= 128)
        #expect(MemoryLayout<CacheLinePadded<Large>>.stride - MemoryLayout<Large>.size >= 128)
    }

    private struct Large: ~Copyable, Sendable {
        let counts = InlineArray<15, Atomic<Int>> { _ in Atomic(0) }
    }
}
