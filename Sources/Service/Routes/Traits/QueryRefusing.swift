internal import HTTPServer

/// Refuses what a route does not know instead of ignoring it, so that a misspelt filter is noticed.
protocol QueryRefusing: Sendable {}

extension QueryRefusing {
    /// - Throws: a 400 problem that names the first query parameter.
    func refuseQuery(of request: HTTPRequest) throws {
        guard request.rawQuery != nil, let parameter = try request.queryItems.first else { return }
        throw ProblemDetails(
            status: .badRequest, detail: "unknown query parameter \"\(parameter.name)\": this resource takes none")
    }
}
