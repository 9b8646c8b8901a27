internal import CEventShim

/// The loops of a process, usually one a core.
public final class EventLoopGroup: Sendable {
    /// In the order in which they were started; never empty.
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

/// Which cores the scheduler may put this process on.
public enum CPUAffinity {
    /// How many there are; at least one.
    public static var count: Int { max(1, Int(larder_usable_cores())) }
}

/// The memory that the process has from the system, beyond what it uses.
///
/// A catalogue is hundreds of thousands of small objects. When it is replaced the allocator has room for all of them,
/// and keeps it unless it is told otherwise.
public enum ProcessMemory {
    /// Has what is large come from the system and go back to it by itself. To be called before there are threads.
    public static func prepare() {
        larder_memory_prepare()
    }

    /// Gives everything that is free back to the system. Takes milliseconds for hundreds of megabytes: not for event
    /// loops.
    public static func giveBack() {
        larder_memory_give_back()
    }
}
