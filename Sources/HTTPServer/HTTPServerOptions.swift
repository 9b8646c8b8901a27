/// Limits and times of a server.
public struct HTTPServerOptions: Sendable, Hashable {
    /// Request line and header fields together, in bytes without their line ends; more is answered with 400.
    public var maximumHeadBytes = 16 * 1024
    /// How much of a request's body is read before it is refused with a problem; beyond it libevent refuses it in HTML.
    public var maximumBodyBytes = 64 * 1024
    /// How long a connection may send nothing while no request of its is being answered; zero for ever.
    public var idleTimeout: Duration = .seconds(60)
    /// How long a client may take nothing of an answer; zero for ever.
    public var writeTimeout: Duration = .seconds(30)
    /// How long a handler may take: then the client gets a 504. Kept to a second or a quarter of it; zero for ever.
    public var requestDeadline: Duration = .seconds(60)
    /// How many connections the system keeps until they are accepted.
    public var backlog = 1024

    /// The defaults.
    public init() {}
}
