/// What a client wants done with a resource.
public enum HTTPMethod: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case get, head, options, post, put, delete, patch, trace
    /// A method that libevent does not know; it does not keep the name.
    case other

    /// The token on the wire; `OTHER` for an unknown one.
    public var description: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .options: "OPTIONS"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .patch: "PATCH"
        case .trace: "TRACE"
        case .other: "OTHER"
        }
    }
}
