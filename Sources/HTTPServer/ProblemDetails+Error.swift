/// A handler that cannot answer otherwise throws the problem.
extension ProblemDetails: HTTPResponseError {
    public var response: HTTPResponse { response() }
}
