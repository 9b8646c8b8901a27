internal import HTTPServer

/// Reads what a request asks beside its path. What a route does not know is refused instead of ignored, so that a
/// misspelt filter is noticed.
protocol QueryReading: Sendable {}

extension QueryReading {
    /// The parameters of the query; a request without one, as most are, costs nothing here.
    ///
    /// - Parameter known: the names of all the parameters that the route takes.
    /// - Throws: `QueryProblem`, or `HTTPRequestError` when the query cannot be decoded.
    func query(of request: HTTPRequest, taking known: [String]) throws -> QueryParameters {
        guard request.rawQuery != nil else { return .none }
        return try QueryParameters(request.queryItems, known: known)
    }
}
