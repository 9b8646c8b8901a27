/// What a test can wait for at an upstream.
public enum UpstreamEvent: Sendable, Hashable {
    /// A connection was taken.
    case accepted(connection: Int)
    /// The head of a request was read.
    case request(connection: Int, head: String)
    /// The client closed a connection while the script waited for that.
    case closedByClient(connection: Int)
    /// Nobody listens any more.
    case stopped
}
