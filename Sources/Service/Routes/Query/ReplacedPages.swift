internal import HTTPServer
internal import Products

/// A client asked for the next page of a catalogue that is no longer served, so that it has to begin again.
struct ReplacedPages: HTTPResponseError {
    /// The value of a `Link` header to the first page.
    let firstPage: String

    /// A 410, because no later request for that page can succeed.
    var response: HTTPResponse {
        let problem = ProductsQueryProblem.cursor(.ofAnotherRevision)
        let gone = ProblemDetails(status: .gone, detail: "\(problem)", parameter: problem.parameter)
        var headers = HTTPHeaderBlock()
        do { try headers.append("Link", firstPage) } catch { return HTTPResponse(for: error) }
        return gone.response(headers: headers)
    }
}
