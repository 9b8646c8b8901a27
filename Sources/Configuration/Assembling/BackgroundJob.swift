/// Work that runs as long as the service does, such as polling or refreshing.
public struct BackgroundJob: Sendable {
    /// Whose job it is, for logs.
    public let name: String
    /// Runs until it is cancelled. Returning early is allowed; what is thrown is logged.
    public let run: @Sendable () async throws -> Void
}
