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
