/// What a component has to do before the process ends, such as flushing a queue.
public struct ShutdownHook: Sendable {
    /// Whose hook it is, for logs.
    public let name: String
    /// Closes the component. Bounds its own time.
    public let close: @Sendable () async -> Void
}
