/// Limits and times of a server.
///
/// A time ends up to a second late, or a quarter of the shortest of them.
public struct HTTPServerOptions: Sendable, Hashable {
    /// Connections open at once, on all loops; zero for no limit. One more takes the place of the connection that has
    /// been idle for longest on its loop, or of the oldest head or TLS handshake that is unfinished after a second;
    /// where there is none it gets a 503 and is closed.
    public var maximumConnections = 10_000
    /// Connections of one IPv4 address, or of one IPv6 /64, on all loops; zero for no limit. One more gets a 429 and is
    /// closed.
    public var maximumConnectionsPerAddress = 0
    /// Requests whose handlers run at once, on all loops, each loop having an equal share; zero for no limit. One more
    /// gets a 503 with `Retry-After`, unless its answer is at hand.
    public var maximumOutstanding = 1000
    /// Paths, as on the request line, that are served beyond `maximumOutstanding`: what tells whether the process lives
    /// must not fail for being asked by too many.
    public var alwaysServedPaths: [String] = []
    /// The methods that resources have, where all have the same: a body with another one is refused with 405 and `Allow`,
    /// and not with 413 or 411. Empty: nothing is known of methods here.
    public var methods: Set<HTTPMethod> = []
    /// The target of a request; more is answered with 414.
    public var maximumTargetBytes = 8 * 1024
    /// Request line and header fields together, with their line ends; more is answered with 431.
    public var maximumHeadBytes = 16 * 1024
    /// Header fields of a request; more are answered with 431.
    public var maximumHeaderFields = 100
    /// From the first byte of a head to its last: then the client gets a 408. Also how long a TLS handshake may take.
    /// Zero: `idleTimeout` counts for both.
    public var headDeadline: Duration = .seconds(10)
    /// How long a connection may send nothing between requests; zero for ever.
    public var idleTimeout: Duration = .seconds(60)
    /// How long a client may acknowledge nothing of an answer; zero for ever. Then the connection is reset.
    public var writeTimeout: Duration = .seconds(30)
    /// Bytes a second of an answer that a client must acknowledge on average over each `writeTimeout`: one byte now and
    /// then must not hold an answer for ever.
    public var minimumWriteRate = 512
    /// How long a handler may take: then the client gets a 504; zero for ever.
    public var requestDeadline: Duration = .seconds(60)
    /// How many connections the system keeps until they are accepted.
    public var backlog = 1024

    /// The defaults.
    public init() {}
}
