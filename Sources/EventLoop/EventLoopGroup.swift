internal import CEventShim
internal import FileSystem

/// The loops of a process, usually one per core.
package final class EventLoopGroup: Sendable {
    /// The loops in the order of their start; never empty.
    package let loops: [EventLoop]

    /// Starts `count` loops (at least one).
    ///
    /// - Throws: `EventLoopError` when the system refuses a base or a thread.
    package init(count: Int) throws(EventLoopError) {
        var made: [EventLoop] = []
        for index in 0..<max(1, count) {
            made.append(try EventLoop(name: "larder-loop-\(index)"))
        }
        loops = made
    }

    package func shutdown() async {
        for loop in loops { await loop.shutdown() }
    }
}

/// The cores that this process may use: by affinity, and by the quota of its control group, as set by a container's CPU
/// limit.
package enum UsableCores {
    private static let quotaFile = "/sys/fs/cgroup/cpu.max"

    /// The number of cores, at least one.
    package static func count() -> Int {
        let text = (try? Files.read(quotaFile)).map { String(decoding: $0, as: UTF8.self) }
        return count(affinity: Int(larder_usable_cores()), quota: text)
    }

    /// - Parameter quota: the content of `cpu.max`: quota and period in microseconds, or `max` for no quota.
    static func count(affinity: Int, quota: String?) -> Int {
        let parts = quota?.split(whereSeparator: \.isWhitespace).map { Double($0) } ?? []
        guard parts.count == 2, let microseconds = parts[0], let period = parts[1], period > 0 else {
            return max(1, affinity)
        }
        return max(1, min(affinity, Int((microseconds / period).rounded(.up))))
    }
}

/// The memory that the process has allocated from the system but does not use.
///
/// A catalogue is hundreds of thousands of small objects. By default the allocator keeps their memory after a
/// replacement.
package enum ProcessMemory {
    /// Makes large allocations come from the system and return to it at once. To be called before there are threads.
    package static func prepare() {
        larder_memory_prepare()
    }

    /// Returns all free memory to the system. Takes milliseconds for hundreds of megabytes, so not for event loops.
    package static func giveBack() {
        larder_memory_give_back()
    }
}
