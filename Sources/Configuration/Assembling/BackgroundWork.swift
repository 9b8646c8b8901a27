/// Work that runs as long as the service does, such as polling or refreshing.
public struct BackgroundJob: Sendable {
    /// Whose job it is, for logs.
    public let name: String
    /// The `ComponentOutline.id` of the component whose job it is.
    public let owner: String
    /// Whether it belongs to a component taken over from the assembly before, and so runs already.
    public let isTakenOver: Bool
    /// Runs until it is cancelled. Returning early is allowed; what is thrown is logged.
    public let run: @Sendable () async throws -> Void

    var takenOver: BackgroundJob { BackgroundJob(name: name, owner: owner, isTakenOver: true, run: run) }
}

/// What a component has to do before the process ends or its graph is replaced, such as flushing a queue.
public struct ShutdownHook: Sendable {
    /// Whose hook it is, for logs.
    public let name: String
    /// The `ComponentOutline.id` of the component whose hook it is.
    public let owner: String
    /// Whether it belongs to a component taken over from the assembly before, and so was that one's as well.
    public let isTakenOver: Bool
    /// Closes the component. Bounds its own time.
    public let close: @Sendable () async -> Void
    /// How many components stand below the component, one on the other.
    var height = 0

    var takenOver: ShutdownHook {
        ShutdownHook(name: name, owner: owner, isTakenOver: true, close: close, height: height)
    }
}

extension Sequence<ShutdownHook> {
    /// Runs the hooks: those of components before those of what they are built on. What stands side by side is closed
    /// at the same time, so that many who take their time take no more of it than the slowest. The hooks of one
    /// component run one after the other, as they come.
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
