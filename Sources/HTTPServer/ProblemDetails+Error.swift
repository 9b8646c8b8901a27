/// A handler that cannot answer otherwise throws the problem.
extension ProblemDetails: HTTPResponseError {
    /// The problem without further fields.
    public var response: HTTPResponse { response() }
}
