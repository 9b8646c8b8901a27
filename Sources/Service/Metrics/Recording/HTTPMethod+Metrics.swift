internal import HTTPServer

extension HTTPMethod {
    /// What metrics call it. A client may make up as many methods as it likes: they are one.
    var metricLabel: String { self == .other ? "other" : description }

    /// Its place among all methods.
    var place: Int {
        switch self {
        case .get: 0
        case .head: 1
        case .options: 2
        case .post: 3
        case .put: 4
        case .delete: 5
        case .patch: 6
        case .trace: 7
        case .other: 8
        }
    }
}
