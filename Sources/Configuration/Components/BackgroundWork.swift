/// Work that runs as long as the service does, such as polling or refreshing.
public struct BackgroundJob: Sendable {
    /// The job's name in logs.
    public let name: String
    /// The `ComponentOutline.id` of its component.
    public let owner: String
    /// Whether it belongs to a component taken over from the previous assembly, and so is running.
    public internal(set) var isTakenOver = false
    /// Whether it starts before the first request to the graph of a reload. It is cancelled if that graph is refused.
    public let startsEarly: Bool
    /// Runs until it is cancelled. Returning early is allowed; errors are logged.
    public let run: @Sendable () async throws -> Void

    package init(
        name: String, owner: String, isTakenOver: Bool = false, startsEarly: Bool = false,
        run: @escaping @Sendable () async throws -> Void
    ) {
        (self.name, self.owner, self.isTakenOver, self.run) = (name, owner, isTakenOver, run)
        self.startsEarly = startsEarly
    }
}

/// Work of a component before the process ends or its graph is replaced, such as flushing a queue.
public struct ShutdownHook: Sendable {
    /// The hook's name in logs.
    public let name: String
    /// The `ComponentOutline.id` of its component.
    public let owner: String
    /// Whether it belongs to a component taken over from the previous assembly, and so is registered there as well.
    public internal(set) var isTakenOver = false
    /// Closes the component. It must limit its own duration.
    public let close: @Sendable () async -> Void
    /// The length of the longest chain of components below its component.
    var height = 0
}

extension Sequence<ShutdownHook> {
    /// Runs the hooks of each component before those of the components below it. Components of the same height are closed
    /// concurrently, so that together they take as long as the slowest. The hooks of one component run in sequence.
    public func close() async {
        let levels = Dictionary(grouping: self, by: \.height).sorted { $0.key > $1.key }
        for (_, level) in levels {
            await withTaskGroup(of: Void.self) { group in
                for hooks in Dictionary(grouping: level, by: \.owner).values {
                    group.addTask { for hook in hooks { await hook.close() } }
                }
            }
        }
    }
}
