/// What a server has not finished at a moment.
public struct HTTPOpenWork: Sendable, Hashable {
    /// Connections that are open.
    public var connections: Int
    /// Requests that are not answered yet.
    public var requests: Int

    /// So much of both.
    public init(connections: Int, requests: Int) {
        self.connections = connections
        self.requests = requests
    }

    /// Nothing.
    public static let none = HTTPOpenWork(connections: 0, requests: 0)

    /// Of two servers together.
    public static func + (left: HTTPOpenWork, right: HTTPOpenWork) -> HTTPOpenWork {
        HTTPOpenWork(connections: left.connections + right.connections, requests: left.requests + right.requests)
    }
}
