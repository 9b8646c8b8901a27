/// How the upstream of a `memory` does, and what is left to serve while it fails.
enum MemoryCondition: Sendable {
    /// The upstream works, as far as is known.
    case well
    /// It fails; what is kept is served, and is no older than clients are told it may be.
    case offline
    /// It fails, and what is served is older than that.
    case stale
    /// It fails, and there is nothing that may be served.
    case empty
}
