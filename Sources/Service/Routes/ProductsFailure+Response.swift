public import HTTPServer
public import Products

extension ProductsFailure: HTTPResponseError {
    /// 503 with the time of the next try: whatever failed behind the service, its client can only come back later. The
    /// reason is for the log, not for clients.
    public var response: HTTPResponse {
        let wait = retryAfter ?? .seconds(1)
        var headers = HTTPHeaderBlock()
        headers.append("Retry-After", number: max(1, Int((wait / .seconds(1)).rounded(.up))))
        return ProblemDetails(status: .serviceUnavailable, detail: "no catalogue can be served at the moment")
            .response(headers: headers)
    }
}
