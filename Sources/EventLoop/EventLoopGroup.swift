internal import Synchronization

/// The loops of a process, usually one a core.
public final class EventLoopGroup: Sendable {
    /// In the order in which they were started; never empty.
    public let loops: [EventLoop]
    private let turn = Atomic<Int>(0)

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

    /// The loops in turn, to spread clients over them. Safe from any thread.
    public func next() -> EventLoop {
        loops[turn.wrappingAdd(1, ordering: .relaxed).oldValue % loops.count]
    }

    /// Stops every loop. See `EventLoop.shutdown`.
    public func shutdown() async {
        for loop in loops { await loop.shutdown() }
    }
}
