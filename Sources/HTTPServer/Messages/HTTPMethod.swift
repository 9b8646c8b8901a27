internal import CEventShim

package enum HTTPMethod: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case get, head, options, post, put, delete, patch, trace
    /// A method that libevent does not know; it does not keep the name.
    case other

    /// The token on the wire; `OTHER` for an unknown one.
    package var description: String {
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

    init(_ method: larder_method) {
        switch method {
        case LARDER_GET: self = .get
        case LARDER_HEAD: self = .head
        case LARDER_OPTIONS: self = .options
        case LARDER_POST: self = .post
        case LARDER_PUT: self = .put
        case LARDER_DELETE: self = .delete
        case LARDER_PATCH: self = .patch
        case LARDER_TRACE: self = .trace
        default: self = .other
        }
    }
}
