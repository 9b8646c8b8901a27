/// An error that says nothing about the client, with a response of its own in place of the plain 500.
///
/// The server reports the cause, as it does with any error that is no `HTTPResponseError`.
public struct HTTPUnexpectedError: Error {
    /// What went wrong.
    public let cause: any Error
    /// What the client gets: complete, and free of internals.
    public let response: HTTPResponse

    /// An error with its response.
    public init(cause: any Error, response: HTTPResponse) {
        self.cause = cause
        self.response = response
    }
}
