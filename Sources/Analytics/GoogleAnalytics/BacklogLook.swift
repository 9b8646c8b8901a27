/// What a look at events that wait has come to.
enum BacklogLook: Sendable, Hashable {
    /// There was nothing to deliver.
    case nothing
    /// All that was handed out is gone.
    case delivered
    /// Some of what was handed out goes on to wait.
    case kept(isSuspect: Bool)
}
