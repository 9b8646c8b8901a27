internal import HTTPServer

/// What a probe asks for beside its path. As with the Kubernetes API server, what else there is makes no difference.
struct HealthQuery: Sendable {
    /// Whether to list the checks, which `verbose` says with whatever value.
    let isVerbose: Bool
    /// The checks to leave out.
    let excluded: [String]

    /// - Throws: `HTTPRequestError` when the query cannot be decoded.
    init(_ request: HTTPRequest) throws(HTTPRequestError) {
        guard request.rawQuery != nil else {
            (isVerbose, excluded) = (false, [])
            return
        }
        let items = try request.queryItems
        isVerbose = items.contains { $0.name == "verbose" }
        excluded = items.filter { $0.name == "exclude" }.compactMap(\.value)
    }
}
