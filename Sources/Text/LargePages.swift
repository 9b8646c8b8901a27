internal import Glibc

extension [UInt8] {
    /// Reserves memory. A large block consists of large pages, so that fewer of them fault when they are first written.
    package mutating func reserveLargePages(_ capacity: Int) {
        reserveCapacity(capacity)
        unsafe withUnsafeMutableBytes { unsafe LargePages.advise($0.baseAddress, capacity) }
    }
}

/// Requests large pages of memory from the system.
package enum LargePages {
    private static let (page, large) = (4096, 2 << 20)

    /// Requests large pages for unused memory, if there is enough for one. If the system has none, nothing changes.
    package static func advise(_ start: UnsafeMutableRawPointer?, _ count: Int) {
        guard count >= large, let start = unsafe start else { return }
        // From the page of the allocator's header on: behind it the first large page would not be whole.
        let first = Int(bitPattern: start) & ~(page - 1)
        let end = (Int(bitPattern: start) + count) & ~(page - 1)
        unsafe madvise(UnsafeMutableRawPointer(bitPattern: first), end - first, MADV_HUGEPAGE)
    }
}
