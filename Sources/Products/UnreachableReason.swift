/// Why no answer came back from an upstream. The raw value is a metric label.
public enum UnreachableReason: String, Sendable, Hashable, CaseIterable {
    /// The connection was refused.
    case refused
    /// The connection was reset.
    case reset
    /// The upstream's name could not be resolved.
    case dns
    /// No secure connection could be made.
    case tls
    /// The connection ended before the whole answer had come.
    case truncated
    /// A monitor says the upstream is away, so it was not asked.
    case offline
    /// Anything else below HTTP.
    case other
}
