/// How long and how much one exchange may take. The timeouts are counted by libcurl in real time, to the millisecond,
/// and are at least one.
public struct HTTPClientLimits: Sendable, Hashable {
    /// For resolving, connecting and TLS.
    public var connectTimeout: Duration
    /// For everything, redirects and the whole body included.
    public var timeout: Duration
    /// The most bytes of body, after unpacking.
    public var body: Int

    /// Creates limits; the defaults are those of the config.
    public init(
        connectTimeout: Duration = .seconds(1), timeout: Duration = .seconds(2), body: Int = 64 * 1024 * 1024
    ) {
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.body = body
    }
}
