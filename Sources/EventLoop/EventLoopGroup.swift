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
