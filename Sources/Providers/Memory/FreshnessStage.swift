/// What may be done with a snapshot of some age.
enum FreshnessStage: Sendable {
    /// Serve it.
    case fresh
    /// Serve it at once, refresh behind the answer.
    case revalidating
    /// Refresh first; serve it if that fails.
    case stale
    /// Refresh first; never serve it.
    case expired
}
