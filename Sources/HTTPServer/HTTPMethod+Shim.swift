internal import CEventShim

extension HTTPMethod {
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

    var shim: larder_method {
        switch self {
        case .get: LARDER_GET
        case .head: LARDER_HEAD
        case .options: LARDER_OPTIONS
        case .post: LARDER_POST
        case .put: LARDER_PUT
        case .delete: LARDER_DELETE
        case .patch: LARDER_PATCH
        case .trace: LARDER_TRACE
        case .other: LARDER_OTHER
        }
    }
}
