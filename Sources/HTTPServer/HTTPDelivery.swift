/// How much of a response the client gets to see. All but the first are for practice upstreams and drills.
public enum HTTPDelivery: Sendable, Hashable {
    /// All of it.
    case whole
    /// The head, which announces the whole body, and only so many bytes of it; then the connection ends.
    case cut(after: Int)
    /// Nothing: the connection ends.
    case dropped
    /// Nothing: the connection is reset.
    case reset
}
