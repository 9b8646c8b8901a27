/// A response.
///
/// `Date`, `Content-Length` and `Connection` are added when it is sent. The body is left out by the server where the
/// protocol wants it so: in answers to HEAD, which still carry its length, and in 204 and 304.
public struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    /// The fields, ready to be sent.
    package var headers: HTTPHeaderBlock
    package var body: HTTPBody
    /// Whether the connection ends with this response although the client would go on.
    package var closesConnection: Bool
    package var delivery = HTTPDelivery.whole

    package init(
        status: HTTPStatus, headers: HTTPHeaderBlock = HTTPHeaderBlock(), body: HTTPBody = .empty,
        closesConnection: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
    }
}

extension HTTPResponse {
    /// The response to an unexpected error: no internals, and not to be cached.
    static let unexpected = ProblemDetails(status: .internalServerError).response()

    /// The response to a thrown error: its own where it has one, else a plain 500.
    package init(for error: any Error) {
        self =
            switch error {
            case let error as any HTTPResponseError: error.response
            case let error as HTTPUnexpectedError: error.response
            default: .unexpected
            }
    }
}

package protocol HTTPResponseError: Error {
    /// Complete, and free of internals.
    var response: HTTPResponse { get }
}

/// An error that says nothing about the client, with a response of its own in place of the plain 500.
///
/// The server reports the cause, as it does with any error that is no `HTTPResponseError`.
package struct HTTPUnexpectedError: Error {
    package let cause: any Error
    /// The response for the client: complete, and free of internals.
    package let response: HTTPResponse

    package init(cause: any Error, response: HTTPResponse) {
        self.cause = cause
        self.response = response
    }
}
