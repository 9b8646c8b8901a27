internal import HTTPServer

/// A client excluded every coding that there is here, that of no coding included.
struct UnacceptableCodings: HTTPResponseError {
    /// A 406, which is another answer for who accepts more.
    var response: HTTPResponse {
        ProblemDetails(
            status: .notAcceptable,
            detail: "products are sent as they are or in gzip, and \"Accept-Encoding\" excludes both"
        ).response(headers: ["Vary": "Accept-Encoding"])
    }
}
