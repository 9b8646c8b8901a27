internal import CEventShim

/// The loops of a process, usually one a core.
public final class EventLoopGroup: Sendable {
    /// The loops in the order of their start; never empty.
    public let loops: [EventLoop]

    /// Starts `count` loops (at least one).
    ///
    /// - Throws: `EventLoopError` when the system refuses a base or a thread.
    public init(count: Int) throws(EventLoopError) {
        var made: [EventLoop] = []
        for index in 0..<max(1, count) {
            made.append(try EventLoop(name: "larder-loop-\(index)"))
        }
        loops = made
    }

    /// Stops every loop. See `EventLoop.shutdown`.
    public func shutdown() async {
        for loop in loops { await loop.shutdown() }
    }
}

/// The cores that the scheduler may put this process on.
public enum CPUAffinity {
    /// The number of cores; at least one.
    public static var count: Int { max(1, Int(larder_usable_cores())) }
}

/// The memory that the process has from the system, beyond what it uses.
///
/// A catalogue is hundreds of thousands of small objects. After it is replaced the allocator keeps their memory unless
/// it is configured otherwise.
public enum ProcessMemory {
    /// Has large allocations come from the system and go back to it at once. To be called before there are threads.
    public static func prepare() {
        larder_memory_prepare()
    }

    /// Gives all free memory back to the system. Takes milliseconds for hundreds of megabytes: not for event
    /// loops.
    public static func giveBack() {
        larder_memory_give_back()
    }
}
