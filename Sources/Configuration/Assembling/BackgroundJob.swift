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
