public import HTTPServer
public import Products

extension ProductsQueryProblem: HTTPResponseError {
    /// A 400 that says which parameter is wrong, and what would be right.
    public var response: HTTPResponse {
        ProblemDetails(status: .badRequest, detail: "\(self)", parameter: parameter).response()
    }
}
