internal import HTTPServer

/// Clients hold as many bytes of answers as memory has room for, so that no other can be made for now.
struct TooManyAnswers: HTTPResponseError {
    /// A 503 like that of a server with too many requests: it passes as soon as others have read what they asked for.
    var response: HTTPResponse {
        ProblemDetails(status: .serviceUnavailable, detail: "Too many answers are on their way.")
            .response(headers: ["Retry-After": "1"])
    }
}
