public import Configuration

/// Where a running service gets its config from anew, and when.
public struct ReloadSource: Sendable {
    /// One element each time somebody wants a reload. What comes while one is under way is kept, once.
    public let requests: AsyncStream<Void>
    /// Reads and checks the config.
    public let load: @Sendable () throws(ConfigurationError) -> LoadedConfiguration

    /// A source.
    public init(
        requests: AsyncStream<Void>, load: @escaping @Sendable () throws(ConfigurationError) -> LoadedConfiguration
    ) {
        self.requests = requests
        self.load = load
    }
}
